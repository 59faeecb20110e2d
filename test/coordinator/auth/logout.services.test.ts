import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { afterAll, expect, test } from 'vitest'
import { createBrowser, NEW_CONNECTION } from '../../harness/identity/browser.ts'
import { CLIENT_ID, startIdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { until } from '../../harness/until.ts'
import { signedIn, signInAs, startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()
const publicUrl = `http://127.0.0.1:${await freePort()}`
const provider = await startIdentityProvider(publicUrl, afterAll)
const start = () => startSignIn(db, { publicUrl, issuer: provider.issuer })

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const person = () => ({ sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, email_verified: true })
const seconds = () => Math.floor(Date.now() / 1000)

/** Returns a browser in which a person is signed in. */
async function signedInBrowser(who = person()) {
  const browser = createBrowser()
  expect(await signInAs(browser, provider, publicUrl, who)).toBe('/console/')
  return browser
}

test('signing out ends the session here, and says where to sign out at the provider', async () => {
  await start()
  const browser = await signedInBrowser()
  const cookie = await browser.jar.getCookieString(publicUrl)
  const { status, text, headers } = await browser.call('POST', `${publicUrl}/auth/logout`)
  expect([status, text]).toEqual([204, ''])
  expect(await browser.jar.getCookieString(publicUrl)).not.toContain('placefleet_session')
  const withOldCookie = await fetch(`${publicUrl}/auth/session`, { headers: { ...NEW_CONNECTION, cookie } })
  expect(withOldCookie.status).toBe(401)
  const there = new URL(headers.get('location') ?? '')
  expect(there.origin).toBe(provider.issuer)
  expect(there.searchParams.get('post_logout_redirect_uri')).toBe(`${publicUrl}/console/`)
  expect(there.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
  const page = await browser.open(there.href) // the provider takes the hint: it asks to confirm, and does not refuse
  expect(page.status).toBe(200)
})

test('a sign-out at the provider ends the sessions here', async () => {
  await start()
  const browser = await signedInBrowser()
  const other = await signedInBrowser()
  const page = await browser.open(`${provider.issuer}/session/end`)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  await browser.submit(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
  await until('the session is over', async () => (await signedIn(browser, publicUrl)) === undefined)
  expect(await signedIn(other, publicUrl)).toBeDefined()
})

const sendToken = async (logout_token: string) => {
  const body = new URLSearchParams({ logout_token })
  return (await fetch(`${publicUrl}/auth/backchannel-logout`, { method: 'POST', body, headers: NEW_CONNECTION })).status
}

/** Returns a token that ends the sessions of a person, with something changed. */
const token = (sub: string, change: object = {}) => {
  const claims = {
    iss: provider.issuer,
    aud: CLIENT_ID,
    iat: seconds(),
    exp: seconds() + 120,
    sub,
    events: { [EVENT]: {} },
  }
  return provider.sign({ ...claims, jti: crypto.randomUUID(), ...change })
}

test('a logout token ends every session of its person at once, and is taken once', async () => {
  await start()
  const ada = person()
  const browsers = [await signedInBrowser(ada), await signedInBrowser(ada)]
  const signed = await token(ada.sub)
  expect(await sendToken(signed)).toBe(200)
  for (const browser of browsers) expect(await signedIn(browser, publicUrl)).toBeUndefined()
  const again = await signedInBrowser(ada)
  expect(await sendToken(signed)).toBe(400)
  expect(await signedIn(again, publicUrl)).toBeDefined()
})

test('a logout token with a sid ends that session, and the person’s sessions without a known sid', async () => {
  await start()
  const ada = person()
  const [one, other] = [await signedInBrowser(ada), await signedInBrowser(ada)]
  const [known, unknown] = await sessionsOf(db)
    .find({ 'provider.subject': ada.sub }, SCAN)
    .sort({ created_at: 1 })
    .toArray()
  await sessionsOf(db).updateOne({ _id: known?._id ?? '' }, { $set: { 'provider.sid': 'theirs' } })
  await sessionsOf(db).updateOne({ _id: unknown?._id ?? '' }, { $set: { 'provider.sid': 'another' } })
  expect(await sendToken(await token(ada.sub, { sid: 'theirs' }))).toBe(200)
  expect([await signedIn(one, publicUrl), await signedIn(other, publicUrl)]).toEqual([undefined, expect.anything()])
  await sessionsOf(db).updateOne({ _id: unknown?._id ?? '' }, { $unset: { 'provider.sid': 1 } })
  expect(await sendToken(await token(ada.sub, { sid: 'a third' }))).toBe(200)
  expect(await signedIn(other, publicUrl)).toBeUndefined()
})

test.each<[string, object]>([
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another client', { aud: 'another' }],
  ['from three minutes ago', { iat: seconds() - 180 }],
  ['from two minutes ahead', { iat: seconds() + 120 }],
  ['that is over', { exp: seconds() - 60 }],
  ['without a time', { iat: undefined }],
  ['without an id', { jti: undefined }],
  ['without the event', { events: {} }],
  ['with a nonce, as an ID token has', { nonce: 'n' }],
  ['that names nobody', { sub: undefined }],
])('a logout token %s is refused, and ends nothing', async (_, change) => {
  await start()
  const ada = person()
  const browser = await signedInBrowser(ada)
  expect(await sendToken(await token(ada.sub, change))).toBe(400)
  expect(await signedIn(browser, publicUrl)).toBeDefined()
})

test('a logout token with a foreign signature or without one is refused', async () => {
  await start()
  const ada = person()
  const browser = await signedInBrowser(ada)
  const stranger = await startIdentityProvider(publicUrl)
  const claims = {
    iss: provider.issuer,
    aud: CLIENT_ID,
    iat: seconds(),
    jti: 'x',
    sub: ada.sub,
    events: { [EVENT]: {} },
  }
  const unsigned = [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  for (const forged of [await stranger.sign(claims), `${unsigned.join('.')}.`, 'x'])
    expect(await sendToken(forged)).toBe(400)
  expect(await signedIn(browser, publicUrl)).toBeDefined()
})
