import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBrowser, NEW_CONNECTION } from '../../harness/identity/browser.ts'
import { startIdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { until } from '../../harness/until.ts'
import { isCallback, isConsole, person, signInAs, startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

const newAddress = async () => `http://127.0.0.1:${await freePort()}`

/** Reads the ways to sign in from the API of the sign-in page. */
const providersAt = async (publicUrl: string): Promise<unknown> =>
  (await fetch(`${publicUrl}/auth/providers`, { headers: NEW_CONNECTION })).json()

const provider = (failure?: string) => ({
  providers: [{ name: 'Single sign-on', login_path: '/auth/login', ...(failure ? { failure } : {}) }],
})

test('the API starts and works while the provider is down; signing in works once it is back', async () => {
  const publicUrl = await newAddress()
  const identity = await startIdentityProvider(publicUrl)
  await identity.stop()
  const api = await startSignIn(db, { publicUrl, issuer: identity.issuer })
  expect((await api.call('GET', '/health')).status).toBe(200)
  expect(await providersAt(publicUrl)).toEqual(provider('provider_unavailable'))
  const browser = createBrowser()
  expect(await signInAs(browser, identity, publicUrl, person())).toBe('/console/?error=provider_unavailable')
  await identity.start()
  const works = await until('a sign-in works again', async () => {
    const where = await signInAs(browser, identity, publicUrl, person())
    return where === '/console/' && where
  })
  expect(works).toBe('/console/')
  expect(await providersAt(publicUrl)).toEqual(provider())
})

test('a provider that was down is asked again soon, even when the clock is set back meanwhile', async () => {
  const publicUrl = await newAddress()
  const identity = await startIdentityProvider(publicUrl)
  await identity.stop()
  await startSignIn(db, { publicUrl, issuer: identity.issuer })
  expect(await providersAt(publicUrl)).toEqual(provider('provider_unavailable'))
  await identity.start()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await until('it is asked again', async () => isDeepStrictEqual(await providersAt(publicUrl), provider()))
})

test('a provider that dies during a sign-in is named as the cause', async () => {
  const publicUrl = await newAddress()
  const identity = await startIdentityProvider(publicUrl)
  await startSignIn(db, { publicUrl, issuer: identity.issuer })
  identity.person = person()
  const browser = createBrowser()
  const { url } = await browser.open(`${publicUrl}/auth/login`, isCallback)
  await identity.stop()
  const end = await browser.open(url.href, isConsole(publicUrl))
  expect(end.url.search).toBe('?error=provider_unavailable')
})

test('a provider that names itself otherwise is a fault of the setting, and not of the person', async () => {
  const publicUrl = await newAddress()
  const identity = await startIdentityProvider(publicUrl)
  await startSignIn(db, { publicUrl, issuer: identity.issuer.replace('127.0.0.1', 'localhost') })
  expect(await providersAt(publicUrl)).toEqual(provider('provider_mismatch'))
  const { url } = await createBrowser().open(`${publicUrl}/auth/login`, isConsole(publicUrl))
  expect(url.search).toBe('?error=provider_mismatch')
})

test('without a provider the sign-in page shows none, and its URL answers not_configured', async () => {
  const publicUrl = await newAddress()
  await startSignIn(db, { publicUrl })
  expect(await providersAt(publicUrl)).toEqual({ providers: [] })
  const { url } = await createBrowser().open(`${publicUrl}/auth/login`, isConsole(publicUrl))
  expect(url.search).toBe('?error=not_configured')
})
