import { setTimeout as sleep } from 'node:timers/promises'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { keyOf, type Script, scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { createClient } from '../../harness/coordinator/client.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)

/** Returns a new user with so many credits, and agents that go with the test. */
async function visit(credits?: number) {
  const { key, user_id } = await addUser(world.db, credits)
  const life = createLifecycle(world.log)
  onTestFinished(() => life.close())
  const addCollector = (script: Script) => addAgent({ ...world, life }, grpc, scriptedCollector(script))
  return { client: createClient(url, key), user_id, addCollector }
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

/** Waits, unless the signal aborts first. */
const pause = (ms: number) => (_: unknown, __: unknown, signal: AbortSignal) =>
  sleep(ms, undefined, { signal }).catch(() => undefined)

test('a job stores every place its searches list, each once, and bills exactly these', async () => {
  const { client, addCollector } = await visit()
  await addCollector({ find: () => range(37) })

  const id = await client.create({ keywords: ['one', 'two'], max_results: 500 })
  const job = await client.ended(id)

  expect(job).toMatchObject({ status: 'completed', result_count: 37, total_cost: '0.118000' })
  expect(job.progress).toEqual({ discovered: 37, collected: 37, tasks_total: 4, tasks_done: 4 })
  expect(job.outcomes).toMatchObject({ ok: 37, duplicate: 37 })
  const keys = (await client.places(id)).map((place) => place.data_id)
  expect(keys.toSorted()).toEqual(range(37).map(keyOf).toSorted())
})

test('max_results is exact with five keywords on three agents at once', async () => {
  const { client, addCollector } = await visit()
  const find = (keyword: string) => range(60, 20 * Number(keyword))
  for (let agent = 0; agent < 3; agent++) await addCollector({ find, before: pause(2) })

  const id = await client.create({ keywords: ['0', '1', '2', '3', '4'], max_results: 73 })
  const job = await client.ended(id)

  expect(job).toMatchObject({ status: 'completed', result_count: 73, progress: { collected: 73 } })
  expect(job.progress.tasks_done).toBe(job.progress.tasks_total) // those that the cap made needless, too
  const places = await client.places(id)
  expect(new Set(places.map((place) => place.data_id)).size).toBe(73)
  expect(places.map((place) => place.id)).toEqual(places.map((place) => place.id).toSorted((a, b) => a - b))
})

test('a job shows that it waits for an agent; one whose searches find nothing is completed and empty', async () => {
  const { client, addCollector } = await visit()
  const id = await client.create({ keywords: ['nowhere'] })
  await until('the job says why it waits', async () => (await client.job(id)).progress.waiting_reason === 'no_agent')
  await addCollector({ find: () => [] })

  const job = await client.ended(id)

  expect(job).toMatchObject({ status: 'completed', result_count: 0, total_cost: '0.007000' })
  expect(job.progress.waiting_reason).toBeUndefined()
})

test('a cancelled job stops its agents, keeps and bills its places, and stores no more', async () => {
  const { client, addCollector } = await visit()
  await addCollector({ find: () => range(200), before: pause(30) })
  const id = await client.create({ keywords: ['many'], max_results: 500 })
  await until('some places are stored', async () => (await client.job(id)).result_count > 5)

  expect((await client.call('POST', `/api/v1/jobs/${id}/cancel`)).status).toBe(204)
  // No agent is late for an hour: the job ends because its agents stop.
  await jobsOf(world.db).updateOne({ _id: id }, { $set: { phase_at: new Date(Date.now() + 3_600_000) } })
  const job = await client.ended(id)

  expect(job).toMatchObject({ status: 'cancelled', cancel_reason: 'user' })
  const places = await client.places(id)
  expect(places).toHaveLength(job.result_count)
  expect(job.total_cost).toBe((0.007 + 0.003 * places.length).toFixed(6))
  expect((await client.call('POST', `/api/v1/jobs/${id}/cancel`)).status).toBe(204)
})

test('a pending job waits for an agent longer than its max_time; its cancellation costs nothing and frees hold and slot', async () => {
  const { client, user_id } = await visit()
  const ledger = createLedger(mongoLedgerStore(world.db))
  const id = await client.create({ keywords: ['one'], max_time: 1 })
  for (const _ of range(4)) await client.create({ keywords: ['another'] })
  const longAgo = new Date(Date.now() - 86_400_000)
  await jobsOf(world.db).updateOne({ _id: id }, { $set: { created_at: longAgo, phase_at: longAgo } })
  const held = async () => (await createHolds(ledger).of(user_id, id))?.held
  expect(await held()).toBeGreaterThan(0)
  expect(await client.call('POST', '/api/v1/jobs', { name: 'n', keywords: ['one'], language: 'en' })).toMatchObject({
    status: 429,
  })

  await until('sweeps have looked at it', async () => (await client.job(id)).progress.waiting_reason === 'no_agent')
  expect(await client.job(id)).toMatchObject({ status: 'pending' })
  await client.call('POST', `/api/v1/jobs/${id}/cancel`)

  expect(await client.job(id)).toMatchObject({ status: 'cancelled', total_cost: '0.000000' })
  expect(await held()).toBe(0)
  expect(await client.call('POST', '/api/v1/jobs', { name: 'n', keywords: ['one'], language: 'en' })).toMatchObject({
    status: 201,
  })
})

test('a job collects at most what its hold covers', async () => {
  const { client, addCollector } = await visit(1)
  await addCollector({ find: () => range(120) })
  const other = await client.create({ keywords: ['other'], max_results: 300 })
  const id = await client.create({ keywords: ['one'], depth: 1, max_results: 120 })
  const [first, second] = [await client.ended(other), await client.ended(id)]

  expect(first.result_count + second.result_count).toBeLessThanOrEqual(328)
  const { body } = await client.call('GET', '/api/v1/credits/balance')
  expect(body).toMatchObject({ credit_balance: (1 - Number(first.total_cost) - Number(second.total_cost)).toFixed(6) })
})
