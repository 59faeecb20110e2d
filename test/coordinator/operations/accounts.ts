import { bootstrap } from '@placefleet/coordinator/accounts/bootstrap'
import { apiKeysOf, sessionsOf, usersOf } from '@placefleet/coordinator/accounts/documents'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { createSession, unlinkIdentity } from '@placefleet/coordinator/accounts/sessions'
import { createApiKey, markPaid } from '@placefleet/coordinator/accounts/store'
import { backchannelLogoutRoute } from '@placefleet/coordinator/auth/oidc/backchannel-logout'
import type { LogoutToken } from '@placefleet/coordinator/auth/oidc/logout-token'
import { userOf } from '@placefleet/coordinator/auth/oidc/people'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import type { Server } from '@placefleet/coordinator/http/typed-server'
import { commandAgent } from '@placefleet/coordinator/operator/agents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { startApi } from '../../harness/coordinator/api.ts'
import type { Bed } from './bed.ts'
import type { Operation } from './operation.ts'

/** A user with a session that the identity provider began. */
async function signedIn({ db, user }: Bed) {
  const user_id = await user()
  const identity = { issuer: 'https://id.example', subject: user_id }
  await usersOf(db).updateOne({ _id: user_id }, { $set: { identity } })
  await createSession(db, user_id, { signed_in_by: 'oidc', provider: { ...identity, sid: user_id, id_token: 't' } })
  return { user_id, identity, find: () => usersOf(db).findOne({ _id: user_id }) }
}

const expectNoSession = async (db: Db, user_id: string) =>
  expect(await sessionsOf(db).countDocuments({ user_id }), 'sessions').toBe(0)

const roles: Operation[] = [
  {
    name: 'accounts/roles.ts setRole',
    when: 'to operator',
    async begin(bed) {
      const { user_id, find } = await signedIn(bed)
      return {
        users: [user_id],
        call: (db) => setRole(db, user_id, 'operator'),
        async check() {
          expect(await find()).toMatchObject({ role: 'operator' })
          await expectNoSession(bed.db, user_id)
        },
      }
    },
  },
  {
    name: 'accounts/sessions.ts unlinkIdentity',
    when: 'of a user with a session',
    async begin(bed) {
      const { user_id, find } = await signedIn(bed)
      return {
        users: [user_id],
        call: (db) => unlinkIdentity(db, user_id),
        async check() {
          expect(await find()).not.toHaveProperty('identity')
          await expectNoSession(bed.db, user_id)
        },
      }
    },
  },
  {
    name: 'auth/oidc/backchannel-logout.ts POST /auth/backchannel-logout',
    when: 'of a session at the provider',
    async begin(bed) {
      const { user_id, identity } = await signedIn(bed)
      const token = { ...identity, sid: user_id, jti: crypto.randomUUID() }
      const payload = new URLSearchParams({ logout_token: JSON.stringify(token) }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const oidc = { verifyLogoutToken: async (text: string): Promise<LogoutToken> => JSON.parse(text) }
      return {
        users: [user_id],
        async call(db) {
          const routes = async (server: Server) => void (await server.register(backchannelLogoutRoute, { db, oidc }))
          const { server, expectError } = await startApi(bed.db, { routes })
          expectError('a request failed') // of the process that dies
          await server.inject({ method: 'POST', url: '/auth/backchannel-logout', payload, headers })
        },
        check: () => expectNoSession(bed.db, user_id),
      }
    },
  },
]

const paid: Operation[] = [
  {
    name: 'accounts/store.ts markPaid',
    when: 'of a user with a key and a session',
    async begin(bed) {
      const { user_id, find } = await signedIn(bed)
      await createApiKey(bed.db, user_id, { name: 'k' })
      return {
        users: [user_id],
        call: (db) => markPaid(db, user_id),
        async check() {
          expect(await find()).toMatchObject({ paid: true })
          expect(await apiKeysOf(bed.db).countDocuments({ user_id, paid: false })).toBe(0)
          expect(await sessionsOf(bed.db).countDocuments({ user_id, paid: false })).toBe(0)
        },
      }
    },
  },
  ...(
    [
      ['accounts/store.ts createApiKey', (db: Db, user_id: string) => createApiKey(db, user_id, { name: 'k' })],
      ['accounts/sessions.ts createSession', (db: Db, user_id: string) => createSession(db, user_id)],
    ] as const
  ).map(
    ([name, create]): Operation => ({
      name,
      when: 'while the user pays for the first time',
      notIn: 'crashes',
      async begin({ db, user }) {
        const user_id = await user()
        return {
          users: [user_id],
          call: (seen) => create(seen, user_id),
          rival: () => markPaid(db, user_id),
          async check() {
            expect(await apiKeysOf(db).countDocuments({ user_id, paid: false })).toBe(0)
            expect(await sessionsOf(db).countDocuments({ user_id, paid: false })).toBe(0)
          },
        }
      },
    }),
  ),
]

const RULES = { signup: true, trustEmail: false, allowedDomains: [], operatorClaim: 'role', operatorValues: ['op'] }

/** The only user with an email: an operator, with the credits of one grant. */
async function expectOne({ db, healthy }: Bed, email: string, credits: number): Promise<void> {
  const [user, ...others] = await usersOf(db).find({ email }).toArray()
  expect(others).toEqual([])
  expect(user).toMatchObject({ role: 'operator' })
  expect(await healthy.ledger.state(user?._id ?? '')).toMatchObject({ balance: credits })
}

const first: Operation[] = [
  {
    name: 'accounts/bootstrap.ts bootstrap',
    when: 'of an empty database',
    async begin(bed) {
      const email = `${crypto.randomUUID()}@example.com`
      const apiKey = `svc_${crypto.randomUUID()}`
      return {
        users: [],
        call(db) {
          const ledger = createLedger(mongoLedgerStore(db))
          const reference = { reference_type: 'bootstrap', reference_id: 'first' }
          const given = { amount: 5, type: 'bonus', reference, description: 'first' } as const
          const grantCredits = async (user_id: string) => void (await grant(ledger, { user_id, ...given }))
          return bootstrap(db, { email, apiKey, grantCredits })
        },
        async check() {
          await expectOne(bed, email, 5)
          const user = await usersOf(bed.db).findOne({ email })
          expect(await apiKeysOf(bed.db).countDocuments({ user_id: user?._id ?? '' })).toBe(1)
        },
      }
    },
  },
  {
    name: 'auth/oidc/people.ts userOf',
    when: 'at the first sign-in of an operator',
    async begin(bed) {
      const email = `${crypto.randomUUID()}@example.com`
      const claims = { iss: 'https://id.example', sub: email, email, email_verified: true, role: 'op' }
      return {
        users: [],
        call: (db) => userOf({ db, ledger: createLedger(mongoLedgerStore(db)), rules: RULES, signupBonus: 5 }, claims),
        check: () => expectOne(bed, email, 5),
      }
    },
  },
  {
    name: 'operator/agents.ts commandAgent',
    when: 'revoke, of an agent that runs a task',
    async begin(bed) {
      const name = `agent-${crypto.randomUUID().slice(0, 8)}`
      await bed.healthy.identities.enrol(name)
      const { user_id, job_id } = await bed.running()
      await tasksOf(bed.db).updateMany({ job_id, state: 'running' }, { $set: { agent_id: `${name}/process` } })
      return {
        users: [user_id],
        call: (db) => commandAgent(db, name, 'revoke'),
        async settle() {
          const past = new Date(Date.now() - 60_000) // a revoked agent cannot renew its lease
          await tasksOf(bed.db).updateMany({ job_id, state: 'running' }, { $set: { lease_until: past } })
          await bed.healthy.leases.expire()
        },
        async check() {
          const [identity] = await bed.healthy.identities.findSome([name])
          expect(identity).toHaveProperty('revoked_at')
          expect(await tasksOf(bed.db).countDocuments({ job_id, state: 'running' })).toBe(0)
        },
      }
    },
  },
]

/** The operations of accounts. */
export const accountOperations: readonly Operation[] = [...roles, ...paid, ...first]
