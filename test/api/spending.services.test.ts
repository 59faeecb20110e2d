import { randomUUID } from 'node:crypto'
import { apiKeysOf } from '@placefleet/coordinator/accounts/documents'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { createApiKey } from '@placefleet/coordinator/accounts/store'
import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { Job } from '@placefleet/shared/job'
import { afterAll, expect, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { scriptedCollector } from '../harness/agents/scripted-collector.ts'
import type { Answer } from '../harness/coordinator/call-api.ts'
import { addUser, cookieOf } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { ask, JOB } from './api-world.ts'

const world = await startWorld(afterAll)
const ample = { RATE_FREE: '100000:100000', RATE_JOB_CREATE: '100000:100000', MAX_CONCURRENT_JOBS_FREE: '1000' }
const pair = [await addCoordinator(world, ample), await addCoordinator(world, ample)] as const
const { url } = pair[0]
await addAgent(world, pair[0].grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4, 5, 6, 7] }))

const create = (key: string, body: object, turn = 0) =>
  ask(pair[turn % 2 === 0 ? 0 : 1].url, 'POST', '/api/v1/jobs', { key, body: { ...JOB, ...body } })
const idOf = ({ body }: Answer) => (body as { id: string }).id

/** Returns a user with a second key that has limits. */
async function limitedUser(limits: object) {
  const user = await addUser(world.db)
  const made = await ask(url, 'POST', '/api/v1/api-keys', { key: user.key, body: { name: 'limited', limits } })
  const { id, key: limited } = made.body as { id: string; key: string }
  return { ...user, limited, limited_id: id }
}

const ended = (key: string, id: string) =>
  until('the job has ended', async () => {
    const job = Job.parse((await ask(url, 'GET', `/api/v1/jobs/${id}`, { key })).body)
    return job.status !== 'pending' && job.status !== 'running' && job
  })

test('a job stops, completed and partial, before it would cost more than max_cost', async () => {
  const { key } = await addUser(world.db)
  const job = await ended(key, idOf(await create(key, { max_cost: '0.018' }))) // 0.007 to start, 0.003 a place
  expect(job).toMatchObject({ status: 'completed', partial: true, result_count: 3, total_cost: '0.016000' })
  expect(job.data.max_cost).toBe('0.018')
})

test('a max_cost below the cost of one place is refused with that cost, and an invalid one is named', async () => {
  const { key } = await addUser(world.db)
  const refused = await create(key, { max_cost: '0.009999' })
  expect(refused).toMatchObject({ status: 402, body: { error: 'insufficient_credits' } })
  expect(refused.text).toContain('0.010000')
  for (const max_cost of ['-1', '1e3', '01', '', ' 1', '1.0000001', 1]) {
    expect((await create(key, { max_cost })).body).toMatchObject({ code: 400, details: [{ path: 'max_cost' }] })
  }
})

test('of 50 jobs that a key with a limit of 0.099 creates at once on two coordinators, only those within it are created', async () => {
  const { limited, user_id } = await limitedUser({ day: '0.099' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => create(limited, { max_cost: '0.03' }, turn)),
  )
  const made = answers.filter(({ status }) => status === 201)
  expect(made).toHaveLength(3)
  for (const { status, body } of answers.filter(({ status }) => status !== 201)) {
    expect([status, (body as { error: string }).error]).toEqual([402, 'key_limit'])
  }
  for (const answer of made) await ended(limited, idOf(answer))
  // The jobs cost less than they held, so what they left can be spent, but no more.
  for (let spent = 3 * 0.028; spent < 0.09; spent += 0.01) {
    expect((await create(limited, { max_cost: '0.01', max_results: 1 })).status).toBe(201)
  }
  expect(await create(limited, { max_cost: '0.01', max_results: 1 })).toMatchObject({ body: { error: 'key_limit' } })
  const entries = await ledgerEntries(world.db).find({ user_id }).toArray()
  const [held, charged] = [
    entries.reduce((sum, entry) => sum + Number(entry.held_change), 0),
    entries.reduce((sum, entry) => sum - Math.min(0, Number(entry.amount)), 0),
  ]
  expect(held + charged).toBeLessThanOrEqual(99_000)
})

test('a limited key finds no way around its limit, and leaves the other keys and sessions alone', async () => {
  const { key, key_id, limited, limited_id, user_id } = await limitedUser({ month: '0.02' })
  const calls: [string, string, object?][] = [
    ['POST', '/api/v1/api-keys', { name: 'free of limits' }],
    ['PATCH', `/api/v1/api-keys/${limited_id}`, { limits: {} }],
    ['DELETE', `/api/v1/api-keys/${key_id}`],
  ]
  for (const [method, path, body] of calls) {
    expect((await ask(url, method, path, { key: limited, body })).body).toMatchObject({ code: 403, error: 'forbidden' })
  }
  // Without max_cost a job may cost 0.157.
  const refused = await create(limited, {})
  expect(refused).toMatchObject({ status: 402, body: { error: 'key_limit' } })
  expect(refused.text).toContain('0.020000 are left')
  expect((await create(key, {})).status).toBe(201)

  const session = { cookie: await cookieOf(world.db, user_id), 'sec-fetch-site': 'same-origin' }
  const raise = { headers: session, body: { limits: { month: '0.2' } } }
  expect((await ask(url, 'PATCH', `/api/v1/api-keys/${limited_id}`, raise)).status).toBe(204)
  const listed = (await ask(url, 'GET', '/api/v1/api-keys', { key: limited })).body
  expect(listed).toMatchObject([{ name: 'test' }, { name: 'limited', limits: { month: '0.2' } }])
  expect((await create(limited, {})).status).toBe(201)
  expect((await ask(url, 'DELETE', `/api/v1/api-keys/${limited_id}`, { key: limited })).status).toBe(204)
})

test('a limited key runs, changes and deletes only the monitors that it created, within its limit', async () => {
  const { key, limited } = await limitedUser({ day: '0.02' })
  const monitor = async (by: string) => idOf(await ask(url, 'POST', '/api/v1/monitors', { key: by, body: MONITOR }))
  const [foreign, own] = [await monitor(key), await monitor(limited)]
  const change = (by: string, id: string) =>
    ask(url, 'PATCH', `/api/v1/monitors/${id}`, { key: by, body: { schedule: { every: '15m' } } })
  const run = (by: string, id: string) => ask(url, 'POST', `/api/v1/monitors/${id}/run`, { key: by })

  const remove = (by: string, id: string) => ask(url, 'DELETE', `/api/v1/monitors/${id}`, { key: by })

  const refused = [await change(limited, foreign), await run(limited, foreign), await remove(limited, foreign)]
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  }
  expect(await change(limited, own)).toMatchObject({ status: 200 })
  for (const by of [limited, key]) expect((await run(by, own)).body).toMatchObject({ error: 'key_limit' })
  expect(await run(key, foreign)).toMatchObject({ status: 201 })
  expect(await remove(limited, own)).toMatchObject({ status: 204 })
})

test('a monitor of a revoked key goes on within the limits of the key, however many keys were revoked after it', async () => {
  const { key, limited, limited_id, user_id } = await limitedUser({ day: '0.02' })
  const id = idOf(await ask(url, 'POST', '/api/v1/monitors', { key: limited, body: MONITOR }))
  const revoke = (key_id: string) => ask(url, 'DELETE', `/api/v1/api-keys/${key_id}`, { key })
  await revoke(limited_id)
  const run = () => ask(url, 'POST', `/api/v1/monitors/${id}/run`, { key })
  expect((await run()).body).toMatchObject({ error: 'key_limit' })

  const later = await createApiKey(world.db, user_id, { name: 'later' })
  const revoked = Array.from({ length: 1_000 }, (_, nth) => {
    const hash = `${nth} ${user_id}`
    return { ...later.document, _id: randomUUID(), hash, revoked_at: new Date() }
  })
  await apiKeysOf(world.db).insertMany(revoked)
  await revoke(later.document._id)

  expect((await run()).body).toMatchObject({ error: 'key_limit' })
  await ask(url, 'DELETE', `/api/v1/monitors/${id}`, { key })
  const last = await createApiKey(world.db, user_id, { name: 'last' })
  await revoke(last.document._id)
  expect(await apiKeysOf(world.db).findOne({ _id: limited_id })).toBeNull()
})

test('a limited key of an operator has no operator rights, but their other keys do', async () => {
  const { key, limited, limited_id, user_id } = await limitedUser({ day: '1' })
  await setRole(world.db, user_id, 'operator')
  expect((await ask(url, 'GET', '/api/v1/admin/queue', { key: limited })).status).toBe(403)
  expect((await ask(url, 'GET', '/api/v1/admin/queue', { key })).status).toBe(200)
  const raise = { body: { limits: { day: '2' } } }
  expect((await ask(url, 'PATCH', `/api/v1/api-keys/${limited_id}`, { key: limited, ...raise })).status).toBe(403)
  expect((await ask(url, 'PATCH', `/api/v1/api-keys/${limited_id}`, { key, ...raise })).status).toBe(204)
})

const HOOK = { name: 'w', url: 'https://hooks.example.com/', event_types: ['job.completed'] }
const MONITOR = { name: 'm', job: JOB, schedule: { every: '12h' } }

/** Creates something of each kind. Returns the calls that would change or delete it. */
async function changesOf({ key }: { key: string }): Promise<[string, string, object?][]> {
  const make = async (path: string, body: object) => idOf(await ask(url, 'POST', `/api/v1/${path}`, { key, body }))
  const [hook, monitor, job] = [await make('webhooks', HOOK), await make('monitors', MONITOR), await make('jobs', JOB)]
  return [
    ['PATCH', `/api/v1/monitors/${monitor}`, { name: 'other' }],
    ['PATCH', `/api/v1/webhooks/${hook}`, { name: 'other' }],
    ['POST', `/api/v1/webhooks/${hook}/rotate-secret`],
    ['POST', '/api/v1/webhooks', HOOK],
    ['DELETE', `/api/v1/jobs/${job}`],
    ['DELETE', '/api/v1/known-places'],
    ['DELETE', `/api/v1/monitors/${monitor}`],
    ['DELETE', `/api/v1/webhooks/${hook}`],
  ]
}

test('a limited key changes and deletes nothing that others made, and is told what to do; another key may', async () => {
  const { key, limited } = await limitedUser({ day: '5' })
  const changes = await changesOf({ key })
  for (const [method, path, body] of changes) {
    const refused = await ask(url, method, path, { key: limited, ...(body && { body }) })
    expect(refused, path).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(refused.text).toContain('Use another key or the console.')
  }
  for (const [method, path, body] of changes)
    expect((await ask(url, method, path, { key, ...(body && { body }) })).status, path).toBeLessThan(300)
})

test('a limited key deletes the jobs and monitors that it created, and learns of no others', async () => {
  const { limited } = await limitedUser({ day: '5' })
  const remove = async (path: string) => (await ask(url, 'DELETE', `/api/v1/${path}`, { key: limited })).status
  const own = idOf(await create(limited, { max_cost: '1' }))
  expect([await remove(`jobs/${own}`), await remove(`jobs/${own}`)]).toEqual([204, 404])
  expect(await remove(`jobs/${randomUUID()}`)).toBe(404)
  const watching = idOf(await ask(url, 'POST', '/api/v1/monitors', { key: limited, body: MONITOR }))
  expect(await remove(`monitors/${watching}`)).toBe(204)
})
