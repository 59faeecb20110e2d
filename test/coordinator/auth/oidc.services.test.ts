import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { isOperator, operatorsOf, setRole } from '@placefleet/coordinator/accounts/roles'
import { createUser } from '@placefleet/coordinator/accounts/store'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createBrowser } from '../../harness/identity/browser.ts'
import { startIdentityProvider } from '../../harness/identity/provider.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { testDatabase } from '../../harness/servers/database.ts'
import { isConsole, person, type SignInOptions, signedIn, signInAs, startSignIn } from './sign-in-world.ts'

const { db } = await testDatabase()

type Options = Omit<SignInOptions, 'publicUrl' | 'issuer'>

/** Starts a provider, and an API that trusts it. */
async function start(options: Options, whenOver: (end: () => Promise<void>) => void) {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const provider = await startIdentityProvider(publicUrl, whenOver)
  await startSignIn(db, { publicUrl, issuer: provider.issuer, ...options }, whenOver)
  return { publicUrl, provider }
}

const usual = await start({}, afterAll)

/** Returns a new browser before an API with these options. */
async function world(options?: Options) {
  const { publicUrl, provider } = options ? await start(options, onTestFinished) : usual
  const browser = createBrowser()
  const signIn = (who: Parameters<typeof signInAs>[3], by = browser) => signInAs(by, provider, publicUrl, who)
  return { publicUrl, provider, browser, signIn, who: (by = browser) => signedIn(by, publicUrl) }
}

const email = () => person().email

test('a person signs in with PKCE, state and nonce, and keeps the same account later', async () => {
  const { provider, signIn, who, publicUrl } = await world()
  const ada = person()
  expect(await signIn(ada)).toBe('/console/')
  const asked = provider.asked.at(-1)
  expect(asked?.get('code_challenge_method')).toBe('S256')
  expect(asked?.get('redirect_uri')).toBe(`${publicUrl}/auth/callback`)
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked?.get(name)?.length).toBeGreaterThan(20)
  const first = await who()
  expect(first).toEqual({
    user: { id: expect.any(String), email: ada.email, role: 'user' },
    expires_at: expect.any(String),
    limits: { requests_per_second: 5, burst: 20, key_requests_per_second: 2, key_burst: 5, active_jobs: 3 },
    sells_credits: false,
    csrf: 'same-origin',
  })
  const later = createBrowser()
  await signIn({ ...ada, email: email(), email_verified: false }, later) // known by issuer and subject alone
  expect((await who(later))?.user).toEqual(first?.user)
})

test('the sign-in returns to where it began, and to our own paths only', async () => {
  const { publicUrl, browser, provider } = await world()
  provider.person = person()
  const asked = await browser.open(`${publicUrl}/auth/login?return_to=/console/jobs?page=2`, isConsole(publicUrl))
  expect(asked.url.href).toBe(`${publicUrl}/console/jobs?page=2`)
  const foreign = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    'jobs',
  ]
  for (const address of foreign) {
    const { status } = await browser.open(`${publicUrl}/auth/login?return_to=${encodeURIComponent(address)}`)
    expect([address, status]).toEqual([address, 400])
  }
})

test('an account with the verified email is linked, once', async () => {
  const { signIn, who } = await world()
  const ada = person()
  const { _id } = await createUser(db, { email: ada.email })
  await signIn(ada)
  expect((await who())?.user.id).toBe(_id)
  const rival = createBrowser()
  expect(await signIn({ ...ada, sub: 'somebody else' }, rival)).toBe('/console/?error=email_taken')
  expect(await who(rival)).toBeUndefined()
})

test.each([
  ['not verified', { email_verified: false }, 'email_not_verified'],
  ['not said to be verified', { email_verified: undefined }, 'email_not_verified'],
  ['missing', { email: undefined }, 'email_missing'],
])('an email that is %s does not link or create an account', async (_, change, code) => {
  const { signIn, who } = await world()
  const known = await createUser(db, { email: email() })
  for (const address of [known.email, email()]) {
    expect(await signIn(person({ email: address, ...change }))).toBe(`/console/?error=${code}`)
  }
  expect(await who()).toBeUndefined()
  expect((await usersOf(db).findOne({ _id: known._id }))?.identity).toBeUndefined()
})

test('with OIDC_TRUST_EMAIL an unconfirmed email is enough', async () => {
  const { signIn, who } = await world({ settings: { OIDC_TRUST_EMAIL: 'true' } })
  const ada = person({ email_verified: undefined })
  const { _id } = await createUser(db, { email: ada.email })
  await signIn(ada)
  expect((await who())?.user.id).toBe(_id)
})

test('OIDC_SIGNUP and OIDC_ALLOWED_DOMAINS decide who may sign up', async () => {
  const closed = await world({ settings: { OIDC_SIGNUP: 'false' } })
  expect(await closed.signIn(person())).toBe('/console/?error=signup_disabled')
  const limited = await world({ settings: { OIDC_ALLOWED_DOMAINS: 'Example.org, example.net' } })
  expect(await limited.signIn(person())).toBe('/console/?error=domain_not_allowed')
  expect(await limited.signIn(person({ email: `${crypto.randomUUID()}@example.org.evil.example` }))).toContain(
    'domain_not',
  )
  expect(await limited.signIn(person({ email: `${crypto.randomUUID()}@example.org` }))).toBe('/console/')
})

test('the operator claim is read at every sign-in, and a change of the role ends all sessions before', async () => {
  const { signIn, who } = await world({ settings: { OIDC_OPERATOR_VALUES: 'admins,owners' } })
  const ada = person({ groups: ['staff', 'owners'] })
  await signIn(ada)
  expect((await who())?.user.role).toBe('operator')
  const later = createBrowser()
  await signIn({ ...ada, groups: ['staff'] }, later)
  expect((await who(later))?.user.role).toBe('user')
  expect(await who()).toBeUndefined()
})

test('the role that a claim gave counts for seven days after the last sign-in, also for API keys', async () => {
  const { signIn, who } = await world({ settings: { OIDC_OPERATOR_VALUES: 'admins' } })
  const ada = person({ groups: ['admins'] })
  await signIn(ada)
  const { id: _id } = (await who())?.user ?? expect.fail('nobody is signed in')
  const user = async () => (await usersOf(db).findOne({ _id })) ?? expect.fail('no user')
  const byKey = { user_id: _id, key_id: 'k', source: 'api', paid: false } as const
  const days = ((await user()).role_until?.getTime() ?? 0) / 86_400_000 - Date.now() / 86_400_000
  expect([days > 6.99, days <= 7.01]).toEqual([true, true])
  expect(await isOperator(db, byKey)).toBe(true)
  await usersOf(db).updateOne({ _id }, { $set: { role_until: new Date(Date.now() - 1) } })
  expect(await isOperator(db, byKey)).toBe(false)
  expect((await operatorsOf(db)).map((operator) => operator._id)).not.toContain(_id)
  await signIn(ada, createBrowser())
  expect(await isOperator(db, byKey)).toBe(true)
  await setRole(db, _id, 'operator') // by ops: it does not lapse
  expect(await user()).not.toHaveProperty('role_until')
})

test('a claim may lie deeper, and without OIDC_OPERATOR_VALUES no claim makes an operator', async () => {
  const deep = await world({ settings: { OIDC_OPERATOR_CLAIM: 'realm_access.roles', OIDC_OPERATOR_VALUES: 'admin' } })
  await deep.signIn(person({ realm_access: { roles: ['admin'] } }))
  expect((await deep.who())?.user.role).toBe('operator')
  const none = await world()
  await none.signIn(person({ groups: ['admins', ''] }))
  expect((await none.who())?.user.role).toBe('user')
})

test('a sign-up gets its bonus once, a linked account gets no bonus', async () => {
  const { signIn, who } = await world({ bonus: '2.5' })
  const ledger = createLedger(mongoLedgerStore(db))
  const ada = person()
  await signIn(ada)
  await signIn(ada, createBrowser())
  const { id = '' } = (await who())?.user ?? {}
  expect((await ledger.state(id)).balance).toBe(2_500_000)
  expect(await ledger.about(id, 'signup bonus')).toMatchObject([{ type: 'bonus', amount: 2_500_000 }])
  const linked = person()
  const { _id } = await createUser(db, { email: linked.email })
  await signIn(linked, createBrowser())
  expect((await ledger.state(_id)).balance).toBe(0)
})
