import { markPaid } from '@placefleet/coordinator/accounts/store'
import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { scriptedCollector } from '../harness/agents/scripted-collector.ts'
import type { Answer } from '../harness/coordinator/call-api.ts'
import { addUser, type Caller } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { ask, JOB } from './api-world.ts'

const world = await startWorld(afterAll)
const rates = { RATE_PAID: '100000:100000' }
/** Two coordinators over one database, with the real limits of active jobs. */
const pair = [await addCoordinator(world, rates), await addCoordinator(world, rates)] as const
const create = ({ key }: Caller, turn = 0) =>
  ask(pair[turn % 2 === 0 ? 0 : 1].url, 'POST', '/api/v1/jobs', { key, body: JOB })
const createMany = (caller: Caller, count: number) =>
  Promise.all(Array.from({ length: count }, (_, turn) => create(caller, turn)))

const made = (answers: Answer[]) => answers.filter(({ status }) => status === 201)
const idOf = ({ body }: Answer) => (body as { id: string }).id

test.each([
  ['a free', 5, false],
  ['a paid', 20, true],
])('of 50 jobs that %s account creates at once on two coordinators, exactly %i are created', async (_, limit, paid) => {
  const caller = await addUser(world.db)
  if (paid) await markPaid(world.db, caller.user_id)

  const answers = await createMany(caller, 50)

  expect(made(answers)).toHaveLength(limit)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, headers, body } of refused) {
    expect([status, headers.get('retry-after'), headers.get('ratelimit')]).toEqual([429, '60', 'api;r=0;t=60'])
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(body).toMatchObject({ code: 429, error: 'concurrent_job_limit' })
  }
  const list = await ask(pair[0].url, 'GET', '/api/v1/jobs?limit=100', { key: caller.key })
  expect(list.body).toMatchObject({ total: limit })

  // Refused jobs hold nothing: the held credits are those of the created jobs.
  const entries = await ledgerEntries(world.db).find({ user_id: caller.user_id }).toArray()
  expect(entries.filter(({ type }) => type === 'hold')).toHaveLength(limit)

  // Another account is not concerned, and the end of a job makes room for exactly one.
  expect((await create(await addUser(world.db))).status).toBe(201)
  const [first] = made(answers)
  await ask(pair[1].url, 'POST', `/api/v1/jobs/${first && idOf(first)}/cancel`, { key: caller.key })
  expect(made(await createMany(caller, 10))).toHaveLength(1)
})

test('a job counts while it is aborting, and no longer once it is deleted', async () => {
  const caller = await addUser(world.db)
  const jobs = made(await createMany(caller, 5)).map(idOf)
  // Still aborting however late the rest of this test runs: no sweep finds the job due, nor its agents late.
  const aborting = {
    phase: 'aborting',
    end: 'cancelled',
    cancel_reason: 'user',
    status: 'aborting',
    phase_at: new Date(Date.now() + 3_600_000),
  }
  await world.db
    .collection<{ _id: string }>('jobs')
    .updateOne({ _id: jobs[0] ?? '' }, { $set: aborting, $unset: { due_at: true } })
  expect((await create(caller)).status).toBe(429)

  expect((await ask(pair[0].url, 'DELETE', `/api/v1/jobs/${jobs[1]}`, { key: caller.key })).status).toBe(204)

  expect(made(await createMany(caller, 5))).toHaveLength(1)
})

test('a job that is done makes room for the next', async () => {
  const caller = await addUser(world.db)
  const jobs = made(await createMany(caller, 10)).map(idOf)
  expect((await create(caller)).status).toBe(429)

  const agent = await addAgent(world, pair[0].grpc, scriptedCollector({ find: () => [1, 2, 3] }))
  onTestFinished(() => agent.drain()) // the others need jobs that stay pending

  const statusOf = async (id: string) => {
    const { body } = await ask(pair[0].url, 'GET', `/api/v1/jobs/${id}`, { key: caller.key })
    return (body as { status: string }).status
  }
  const completed = async () => (await Promise.all(jobs.map(statusOf))).every((status) => status === 'completed')
  await until('all jobs are completed', completed)
  expect(made(await createMany(caller, 5))).toHaveLength(5)
})
