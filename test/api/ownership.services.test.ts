import { randomUUID } from 'node:crypto'
import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { hashOf } from '@placefleet/coordinator/accounts/key-format'
import { createApiKey, revokeApiKey } from '@placefleet/coordinator/accounts/store'
import { createApi } from '@placefleet/coordinator/api'
import { readConfig } from '@placefleet/coordinator/config'
import { readBuildInfo } from '@placefleet/coordinator/http/version'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createServices } from '@placefleet/coordinator/services'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { afterAll, describe, expect, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { scriptedCollector } from '../harness/agents/scripted-collector.ts'
import type { CallOptions } from '../harness/coordinator/call-api.ts'
import { contextOf } from '../harness/coordinator/parts.ts'
import { addUser, type Caller, cookieOf } from '../harness/coordinator/users.ts'
import { addCoordinator, coordinatorEnv, startWorld } from '../harness/coordinator/world.ts'
import { SCAN } from '../harness/servers/scan.ts'
import { until } from '../harness/until.ts'
import { ask, failedDelivery, JOB } from './api-world.ts'

/** The objects of a user: the ids that paths and bodies may name. */
type Things = {
  pending: string
  done: string
  key: string
  webhook: string
  delivery: string
  session: string
  monitor: string
}

/** The request to a route, and its answers to the owner and to other users. */
type Expectation = {
  request?: (things: Things) => CallOptions
  /** The object whose id replaces `:id`. */
  id?: keyof Things
  owner: number
  /** The answer to the owner's session, where it differs. */
  ownerSession?: number
  /** The answer to another user: 404 if the path names an object, else their own data. */
  other: number
  /** What another user is answered with a session, where that is something else. */
  otherSession?: number
  /** The answer without a valid credential: 401, except for public routes. */
  nobody?: number
}

const OPEN = { owner: 200, other: 200, nobody: 200 }
const OWN = { owner: 200, other: 200 }
/** Only a signed-in browser can use such a route: a key is refused. */
const SESSION_ONLY = { owner: 401, ownerSession: 200, other: 401, otherSession: 200 }
const OPERATORS_ONLY = { owner: 403, other: 403 }
const MONITOR = { name: 'x', job: JOB, schedule: { every: '12h' } }
const hook = { name: 'x', url: 'https://127.0.0.1:9/' } // nobody listens there

/**
 * Every route there is but those of operators, which refuse all users. One that is missing here fails the test that
 * compares this with the server's own table.
 */
const EXPECTED: Record<string, Expectation> = {
  'GET /favicon.ico': OPEN,
  'GET /health': OPEN,
  'GET /openapi.json': OPEN,
  'GET /api/v1/version': OWN,
  'POST /stripe/webhook': { owner: 503, other: 503, nobody: 503 }, // Stripe signs; here it is not set up
  'GET /auth/providers': OPEN,
  'GET /auth/login': { owner: 302, other: 302, nobody: 302 },
  'GET /auth/callback': { owner: 302, other: 302, nobody: 302 },
  'POST /auth/link': { request: () => ({ body: { token: 'x' } }), owner: 401, other: 401, nobody: 401 },
  'POST /auth/claim': { request: () => ({ body: { token: 'x' } }), owner: 404, other: 404, nobody: 404 },
  'POST /auth/device': { request: () => ({ body: { client_name: 'x' } }), owner: 201, other: 201, nobody: 201 },
  'POST /auth/device/token': { request: () => ({ body: { device_code: 'x' } }), owner: 400, other: 400, nobody: 400 },
  'GET /auth/device/:user_code': { ...SESSION_ONLY, ownerSession: 404, otherSession: 404 },
  'POST /auth/device/:user_code/approve': { ...SESSION_ONLY, ownerSession: 404, otherSession: 404 },
  'POST /auth/device/:user_code/deny': { ...SESSION_ONLY, ownerSession: 404, otherSession: 404 },
  'GET /.well-known/oauth-protected-resource': OPEN,
  'GET /.well-known/oauth-protected-resource/mcp': OPEN,
  'GET /.well-known/oauth-authorization-server': OPEN,
  'POST /auth/oauth/register': { owner: 422, other: 422, nobody: 422 },
  'GET /auth/oauth/authorize': { owner: 400, other: 400, nobody: 400 },
  'GET /auth/oauth/return': { owner: 400, other: 400 },
  'POST /auth/oauth/token': { owner: 422, other: 422, nobody: 422 },
  'POST /auth/backchannel-logout': { owner: 422, other: 422, nobody: 422 },
  'GET /auth/session': SESSION_ONLY,
  'GET /auth/sessions': SESSION_ONLY,
  'DELETE /auth/sessions': { ...SESSION_ONLY, ownerSession: 204, otherSession: 204 },
  'DELETE /auth/sessions/:id': { id: 'session', ...SESSION_ONLY, ownerSession: 204, otherSession: 404 },
  'POST /auth/logout': { ...SESSION_ONLY, ownerSession: 204, otherSession: 204 },
  'GET /api/v1/towns': { owner: 400, other: 400 },
  'GET /livez': OPEN,
  'POST /mcp': {
    request: ({ done }) => ({
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_job', arguments: { job_id: done } } },
      headers: { accept: 'application/json, text/event-stream' },
    }),
    owner: 200,
    ownerSession: 401,
    other: 200, // the tool's answer says that it does not know the job
    otherSession: 401,
  },
  'GET /api/v1/jobs/:id/events': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/stream': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs': OWN,
  'POST /api/v1/jobs': { request: () => ({ body: JOB }), owner: 201, other: 201 },
  'POST /api/v1/jobs/estimates': { request: () => ({ body: JOB }), ...OWN },
  'GET /api/v1/jobs/:id': { id: 'done', owner: 200, other: 404 },
  'DELETE /api/v1/jobs/:id': { id: 'pending', owner: 204, other: 404 },
  'POST /api/v1/jobs/:id/cancel': { id: 'pending', owner: 204, other: 404 },
  'GET /api/v1/jobs/:id/results': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/download': { id: 'done', owner: 200, other: 404 },
  'POST /api/v1/jobs/:id/download-link': {
    id: 'done',
    request: () => ({ body: { format: 'csv' } }),
    owner: 200,
    other: 404,
  },
  'GET /api/v1/jobs/:id/costs': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/tasks': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/inputs': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/coverage': { id: 'done', owner: 200, other: 404 },
  'GET /api/v1/jobs/:id/deliveries': { id: 'done', owner: 200, other: 404 },
  'POST /api/v1/jobs/costs/batch': { request: ({ done, pending }) => ({ body: { job_ids: [done, pending] } }), ...OWN },
  'GET /api/v1/results': OWN,
  'GET /api/v1/results/download': { owner: 200, other: 404 },
  'GET /api/v1/known-places': OWN,
  'POST /api/v1/known-places': {
    request: () => ({ rawBody: '0x1:0x2', headers: { 'content-type': 'text/csv' } }),
    ...OWN,
  },
  'DELETE /api/v1/known-places': { owner: 204, other: 204 },
  'GET /api/v1/monitors': OWN,
  'POST /api/v1/monitors': { request: () => ({ body: MONITOR }), owner: 201, other: 201 },
  'GET /api/v1/monitors/:id': { id: 'monitor', owner: 200, other: 404 },
  'PATCH /api/v1/monitors/:id': { id: 'monitor', request: () => ({ body: { paused: true } }), owner: 200, other: 404 },
  'DELETE /api/v1/monitors/:id': { id: 'monitor', owner: 204, other: 404 },
  'POST /api/v1/monitors/:id/run': { id: 'monitor', owner: 201, other: 404 },
  'GET /api/v1/monitors/:id/changes': { id: 'monitor', owner: 200, other: 404 },
  'GET /api/v1/monitors/:id/changes/download': { id: 'monitor', owner: 200, other: 404 },
  'GET /api/v1/monitors/:id/runs': { id: 'monitor', owner: 200, other: 404 },
  'GET /api/v1/api-keys': OWN,
  'POST /api/v1/api-keys': { request: () => ({ body: { name: 'x' } }), owner: 201, other: 201 },
  'PATCH /api/v1/api-keys/:id': {
    id: 'key',
    request: () => ({ body: { limits: {} } }),
    owner: 403,
    ownerSession: 204,
    other: 403,
    otherSession: 404,
  },
  'DELETE /api/v1/api-keys/:id': { id: 'key', owner: 204, other: 404 },
  'GET /api/v1/credits/balance': OWN,
  'GET /api/v1/credits/history': OWN,
  'GET /api/v1/credits/spending': OWN,
  'POST /api/v1/credits/checkout-session': {
    request: () => ({ body: { credits: '5', currency: 'USD' } }),
    owner: 503,
    other: 503,
  },
  'POST /api/v1/credits/reconcile': { request: () => ({ body: { session_id: 'cs_x' } }), owner: 503, other: 503 },
  'GET /api/v1/webhooks': OWN,
  'POST /api/v1/webhooks': { request: () => ({ body: hook }), owner: 201, other: 201 },
  'PATCH /api/v1/webhooks/:id': { id: 'webhook', request: () => ({ body: {} }), owner: 204, other: 404 },
  'DELETE /api/v1/webhooks/:id': { id: 'webhook', owner: 204, other: 404 },
  'POST /api/v1/webhooks/:id/test': { id: 'webhook', owner: 202, other: 404 },
  'GET /api/v1/webhooks/:id/deliveries': { id: 'webhook', owner: 200, other: 404 },
  'POST /api/v1/webhooks/:id/deliveries/:delivery_id/retry': { id: 'webhook', owner: 202, other: 404 },
  'POST /api/v1/webhooks/:id/retry-failed': {
    id: 'webhook',
    request: () => ({ body: { since: '2026-01-01T00:00:00Z' } }),
    owner: 202,
    other: 404,
  },
  'POST /api/v1/webhooks/:id/rotate-secret': { id: 'webhook', owner: 200, other: 404 },
  'GET /api/v1/dashboard': OWN,
  'POST /api/v1/support': { request: () => ({ body: { category: 'bug', message: 'It is broken.' } }), ...OWN },
}

const world = await startWorld(afterAll)
const { db } = world
const { url, grpc } = await addCoordinator(world, {
  MAX_CONCURRENT_JOBS_FREE: '1000',
  WEBHOOK_ALLOW_HOSTS: '127.0.0.1:9',
  // The test sends more requests than the limit of an address allows, and one session reads everything.
  RATE_ADDRESS: '100000:100000',
  RATE_SESSION: '100000:100000',
})

/** Whose things are read, and whose things are changed and removed. */
const [reader, changer] = [await addUser(db), await addUser(db)]
/** Two users whose requests meet things of others. The sessions of the second one end meanwhile. */
const [other, leaving] = [await addUser(db), await addUser(db)]
const revoked = await addUser(db)
await revokeApiKey(db, revoked.user_id, revoked.key_id, [])
const expired = await cookieOf(db, reader.user_id)
await sessionsOf(db).updateMany({ user_id: reader.user_id }, { $set: { expires_at: new Date(0) } })

const make = async (owner: Caller, path: string, body: object) => {
  const answer = await ask(url, 'POST', path, { key: owner.key, body })
  return (answer.body as { id: string }).id
}
const MARK = `mark-${randomUUID()}`
const doneJobs = new Map<Caller, string>()
for (const owner of [reader, changer]) doneJobs.set(owner, await make(owner, '/api/v1/jobs', { ...JOB, name: MARK }))
const agent = await addAgent(world, grpc, scriptedCollector({ find: () => [1, 2] }))
await until('the jobs are over', async () => (await jobsOf(db).countDocuments({ phase: 'ended' }, SCAN)) === 2)
await agent.drain() // what comes now stays pending

/** Creates a session of an owner and things of theirs. */
async function makeThings(owner: Caller): Promise<{ session: string; things: Things }> {
  const cookie = await cookieOf(db, owner.user_id)
  await freeSlots(owner)
  const done = doneJobs.get(owner) ?? ''
  const webhook = await make(owner, '/api/v1/webhooks', { ...hook, name: MARK })
  const pending = await make(owner, '/api/v1/jobs', { ...JOB, name: MARK })
  const { document } = await createApiKey(db, owner.user_id, { name: MARK })
  const delivery = failedDelivery({ user_id: owner.user_id, webhook_id: webhook, job_id: done })
  await deliveriesOf(db).insertOne(delivery)
  const session = (await sessionsOf(db).findOne({ hash: hashOf(cookie.split('=')[1] ?? '') }))?._id ?? ''
  const monitor = await make(owner, '/api/v1/monitors', { ...MONITOR, name: MARK })
  const things = { pending, done, key: document._id, webhook, delivery: delivery._id, session, monitor }
  return { session: cookie, things }
}

async function freeSlots({ user_id }: Caller): Promise<void> {
  await db.collection('monitors').deleteMany({ user_id }, SCAN)
  for (const name of ['webhooks', 'api_keys']) {
    await db.collection(name).updateMany({ user_id }, { $unset: { slot: '' } })
  }
}

/** Returns the server's own table of routes, `METHOD /path`; the files of the page for people are none of ours. */
async function routeTable(): Promise<string[]> {
  const nats = await connect(natsServers(world.natsUrl))
  const config = readConfig(coordinatorEnv(world))
  const context = contextOf({ config, log: world.log, db, nats })
  const server = await createApi(context, await createServices(context), {
    build: readBuildInfo({ environment: 'test' }),
  })
  await server.ready()
  const lines = server.printRoutes({ commonPrefix: false, includeHooks: false }).split('\n')
  await server.close()
  await nats.close()
  return routesIn(lines)
}

function routesIn(lines: string[]): string[] {
  const path: string[] = []
  return lines.flatMap((line) => {
    const found = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line)
    if (!found) return []
    const [, indent = '', part = '', methods] = found
    path.splice(indent.length / 4, path.length, part)
    return methods?.split(', ').map((method) => `${method} ${path.join('')}`) ?? []
  })
}

const routes = (await routeTable()).filter(
  (route) => !/^(HEAD|OPTIONS) | \/(docs|console|guides|llms.txt|$)/.test(route),
)
const isForOperators = (route: string) => route.includes(' /api/v1/admin/')
const ofOperators = routes.filter(isForOperators).map((route): [string, Expectation] => [route, OPERATORS_ONLY])

test('the matrix has every route of the server, and no other', () => {
  expect(routes.filter((route) => !isForOperators(route)).toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  expect(ofOperators.length).toBeGreaterThan(30)
})

/** Routes that leave objects as they are share them. Each other route gets new ones, because some remove them. */
const thingsToRead = await makeThings(reader)
const unchanged = await snapshot(thingsToRead.things)
const sessionOfOther = await cookieOf(db, other.user_id)
const leavesThings = (method: string, path: string) =>
  method === 'GET' || path.startsWith('/api/v1/admin/') || !(path.includes(':id') || path.startsWith('/auth/'))

describe.each([...Object.entries(EXPECTED), ...ofOperators])(
  '%s',
  (route, { request = () => ({}), id = 'done', ...expected }) => {
    const [method = '', template = ''] = route.split(' ')
    const isOpen = expected.nobody !== undefined
    const isShared = leavesThings(method, template)
    const owner = isShared ? reader : changer

    test('answers its owner, and shows other users nothing of the owner', async () => {
      const { session, things } = isShared ? thingsToRead : await makeThings(changer)
      const foreignSession = isShared ? sessionOfOther : await cookieOf(db, leaving.user_id)
      const path = template
        .replace(':user_code', 'BCDF-GHJK')
        .replace(':id', things[id])
        .replace(':delivery_id', things.delivery)
      const asked: CallOptions = request(things)
      const call = (how: CallOptions) =>
        ask(url, method, path, { ...asked, ...how, headers: { ...asked.headers, ...how.headers } })
      const before = isShared ? unchanged : await snapshot(things)
      const sameOrigin = (cookie: string) => ({ headers: { cookie, 'sec-fetch-site': 'same-origin' } })

      const strangers: [who: string, how: CallOptions, status: number][] = [
        ['another key', { key: other.key }, expected.other],
        ['another session', sameOrigin(foreignSession), expected.otherSession ?? expected.other],
      ]
      const nobodies = {
        nobody: {},
        'a revoked key': { key: revoked.key },
        'an expired session': sameOrigin(expired),
        'a key that was never made': { key: `svc_${'x'.repeat(20)}` },
      }
      for (const [who, how, status] of strangers) {
        const answer = await call(how)
        expect(answer.status, `${who}: ${answer.text}`).toBe(status)
        expectNothingOf(things, answer.text.replaceAll(path, ''))
      }
      const refused = Object.entries(nobodies).map(async ([who, how]) => ({ who, answer: await call(how) }))
      for (const { who, answer } of await Promise.all(refused)) {
        expect(answer.status, `${who}: ${answer.text}`).toBe(expected.nobody ?? 401)
        expectNothingOf(things, answer.text)
      }
      const crossSite = await call({ headers: { cookie: session, origin: 'https://evil.example' } })
      if (method !== 'GET' && !isOpen) expect(crossSite.status).toBe(403)
      expect(await snapshot(things)).toEqual(before)

      if (method === 'GET') {
        expect((await call(sameOrigin(session))).status).toBe(expected.ownerSession ?? expected.owner)
        const head = await ask(url, 'HEAD', path, { key: other.key })
        expect([head.status, head.text]).toEqual([expected.other, ''])
      }
      const answer = await call({ key: owner.key })
      expect(answer.status, answer.text).toBe(expected.owner)
      if (expected.ownerSession === undefined) return
      expect(await snapshot(things)).toEqual(before)
      expect((await call(sameOrigin(session))).status).toBe(expected.ownerSession)
    })
  },
)

/** Returns the owner's things as they are stored. */
async function snapshot({ pending, done, key, webhook, delivery, session, monitor }: Things) {
  const at = (name: string, _id: string) =>
    db
      .collection<{ _id: string }>(name)
      .findOne({ _id }, { projection: { lease: 0, due_at: 0, progress: 0, website_visits: 0, updated_at: 0 } })
  return {
    pending: await at('jobs', pending),
    done: await at('jobs', done),
    key: await at('api_keys', key),
    webhook: await at('webhooks', webhook),
    delivery: await at('webhook_deliveries', delivery),
    session: (await at('sessions', session))?._id,
    monitor: await at('monitors', monitor),
  }
}

function expectNothingOf(things: Things, text: string): void {
  for (const secret of [MARK, reader.user_id, changer.user_id, ...Object.values(things)])
    expect(text).not.toContain(secret)
}
