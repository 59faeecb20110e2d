import { createUser } from '@placefleet/coordinator/accounts/store'
import { flowsOf } from '@placefleet/coordinator/auth/documents'
import type { JWTPayload } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { createBrowser, NEW_CONNECTION } from '../../harness/identity/browser.ts'
import { startIdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { isCallback, isConsole, person, signedIn, signInAs, startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()
const publicUrl = `http://127.0.0.1:${await freePort()}`
const provider = await startIdentityProvider(publicUrl, afterAll)
await startSignIn(db, { publicUrl, issuer: provider.issuer }, afterAll)

/** Returns a browser on its way back from the provider, with an address of ours that it has not opened yet. */
async function onTheWayBack(browser = createBrowser()) {
  provider.person = person()
  const { url } = await browser.open(`${publicUrl}/auth/login`, isCallback)
  return { browser, callback: url }
}

/** Returns where the answer of the provider leads a browser. */
async function ends(browser: ReturnType<typeof createBrowser>, callback: URL): Promise<string> {
  const { url } = await browser.open(callback.href, isConsole(publicUrl))
  return url.pathname + url.search
}

const changed = (url: URL, change: (query: URLSearchParams) => void): URL => {
  const copy = new URL(url)
  change(copy.searchParams)
  return copy
}

/** Signs a person in while the provider misbehaves, and returns where this ends. */
async function signInWith(change: Partial<typeof provider>) {
  const { forge, sign, refusal } = provider
  Object.assign(provider, change)
  const browser = createBrowser()
  const where = await signInAs(browser, provider, publicUrl, person()).finally(() => {
    Object.assign(provider, { forge, sign, refusal })
  })
  expect(await signedIn(browser, publicUrl)).toBeUndefined()
  return where
}

test.each<[string, (claims: JWTPayload) => JWTPayload]>([
  ['the nonce of another sign-in', (claims) => ({ ...claims, nonce: 'another' })],
  ['no nonce', ({ nonce: _, ...claims }) => claims],
  ['another audience', (claims) => ({ ...claims, aud: 'another client' })],
  ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
  ['an end two minutes ago', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 120 })],
  ['a start two minutes ahead', (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 120 })],
  ['no subject', ({ sub: _, ...claims }) => claims],
])('an ID token with %s signs nobody in', async (_, forge) => {
  expect(await signInWith({ forge })).toBe('/console/?error=id_token_invalid')
})

test('an ID token with a foreign signature is refused', async () => {
  const stranger = await startIdentityProvider(publicUrl)
  expect(await signInWith({ sign: stranger.sign, forge: (claims) => claims })).toBe('/console/?error=id_token_invalid')
})

test('the email of an ID token is not verified by a userinfo that names another one', async () => {
  const victim = await createUser(db, { email: person().email })
  const forge = (claims: JWTPayload) => ({ ...claims, email: victim.email })
  expect(await signInWith({ forge })).toBe('/console/?error=email_not_verified')
})

test('a person who refuses at the provider sees access_denied', async () => {
  expect(await signInWith({ refusal: 'access_denied' })).toBe('/console/?error=access_denied')
})

test('an answer is accepted once: its URL and its code do not work again', async () => {
  const { browser, callback } = await onTheWayBack()
  expect(await ends(browser, callback)).toBe('/console/')
  expect(await ends(browser, callback)).toBe('/console/?error=flow_expired')
  const { callback: second } = await onTheWayBack(browser)
  const replayed = changed(second, (query) => query.set('code', callback.searchParams.get('code') ?? ''))
  expect(await ends(browser, replayed)).toBe('/console/?error=provider_refused')
})

test('an answer counts only in the browser that started the sign-in', async () => {
  const { callback } = await onTheWayBack()
  const victim = createBrowser()
  expect(await ends(victim, callback)).toBe('/console/?error=cookie_missing')
  const { browser: asking } = await onTheWayBack(victim)
  expect(await ends(asking, callback)).toBe('/console/?error=flow_expired')
  expect(await signedIn(victim, publicUrl)).toBeUndefined()
})

test.each<[string, (query: URLSearchParams) => void, string]>([
  ['a state that was never given', (query) => query.set('state', 'another'), 'flow_expired'],
  ['no state', (query) => query.delete('state'), 'flow_expired'],
  ['the name of another provider', (query) => query.set('iss', 'https://evil.example'), 'id_token_invalid'],
  ['a code that was never given', (query) => query.set('code', 'another'), 'provider_refused'],
  ['no code', (query) => query.delete('code'), 'id_token_invalid'],
  ['a refusal', (query) => query.set('error', 'access_denied'), 'access_denied'],
])('an answer with %s signs nobody in', async (_, change, code) => {
  const { browser, callback } = await onTheWayBack()
  expect(await ends(browser, changed(callback, change))).toBe(`/console/?error=${code}`)
  expect(await signedIn(browser, publicUrl)).toBeUndefined()
})

test('an answer that took longer than ten minutes is late, by the clock of the database', async () => {
  const { browser, callback } = await onTheWayBack()
  await flowsOf(db).updateMany({}, { $set: { expires_at: new Date(Date.now() - 1) } })
  expect(await ends(browser, callback)).toBe('/console/?error=flow_expired')
})

test('tabs of one browser sign in at once, and each returns to its own page', async () => {
  const { browser, callback } = await onTheWayBack()
  provider.person = person()
  const other = await browser.open(`${publicUrl}/auth/login?return_to=/console/keys`, isCallback)
  expect(await ends(browser, other.url)).toBe('/console/keys')
  expect(await ends(browser, callback)).toBe('/console/')
})

test('a sign-in creates a new session id and ends the previous session', async () => {
  const browser = createBrowser()
  await signInAs(browser, provider, publicUrl, person())
  const before = await browser.jar.getCookieString(publicUrl)
  await signInAs(browser, provider, publicUrl, person())
  expect(await browser.jar.getCookieString(publicUrl)).not.toBe(before)
  const old = await fetch(`${publicUrl}/auth/session`, { headers: { ...NEW_CONNECTION, cookie: before } })
  expect(old.status).toBe(401)
})
