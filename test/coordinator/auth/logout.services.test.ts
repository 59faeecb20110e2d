import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { afterAll, expect, test } from 'vitest'
import { createBrowser, NEW_CONNECTION } from '../../harness/identity/browser.ts'
import { CLIENT_ID, startIdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { until } from '../../harness/until.ts'
import { person, signedIn, signInAs, startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()
const publicUrl = `http://127.0.0.1:${await freePort()}`
const provider = await startIdentityProvider(publicUrl, afterAll)
await startSignIn(db, { publicUrl, issuer: provider.issuer }, afterAll)

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const seconds = () => Math.floor(Date.now() / 1000)

/** Returns a browser in which a person is signed in. */
async function signedInBrowser(who = person()) {
  const browser = createBrowser()
  expect(await signInAs(browser, provider, publicUrl, who)).toBe('/console/')
  return browser
}

test('signing out ends the session here, and says where to sign out at the provider', async () => {
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

const claimsOf = (sub: string) => ({
  iss: provider.issuer,
  aud: CLIENT_ID,
  iat: seconds(),
  exp: seconds() + 120,
  jti: crypto.randomUUID(),
  sub,
  events: { [EVENT]: {} },
})

/** Returns a token that ends the sessions of a person, with something changed. */
const token = (sub: string, change: object = {}) => provider.sign({ ...claimsOf(sub), ...change })

test('a logout token ends every session of its person at once, and is taken once', async () => {
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

const stranger = await startIdentityProvider(publicUrl, afterAll)

test.each<[string, (sub: string) => string | Promise<string>]>([
  ['of another issuer', (sub) => token(sub, { iss: 'https://evil.example' })],
  ['for another client', (sub) => token(sub, { aud: 'another' })],
  ['from three minutes ago', (sub) => token(sub, { iat: seconds() - 180 })],
  ['from two minutes ahead', (sub) => token(sub, { iat: seconds() + 120 })],
  ['that is over', (sub) => token(sub, { exp: seconds() - 60 })],
  ['without a time', (sub) => token(sub, { iat: undefined })],
  ['without an id', (sub) => token(sub, { jti: undefined })],
  ['without the event', (sub) => token(sub, { events: {} })],
  ['with a nonce, as an ID token has', (sub) => token(sub, { nonce: 'n' })],
  ['that names nobody', (sub) => token(sub, { sub: undefined })],
  ['with a foreign signature', (sub) => stranger.sign(claimsOf(sub))],
  [
    'without a signature',
    (sub) => [{ alg: 'none' }, claimsOf(sub)].map((part) => `${btoa(JSON.stringify(part))}.`).join(''),
  ],
])('a logout token %s is refused, and ends nothing', async (_, made) => {
  const ada = person()
  const browser = await signedInBrowser(ada)
  expect(await sendToken(await made(ada.sub))).toBe(400)
  expect(await signedIn(browser, publicUrl)).toBeDefined()
})
