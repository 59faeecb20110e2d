import { createJob } from '@placefleet/coordinator/jobs/create'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { takenSlots } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { CreateJobRequest } from '@placefleet/shared/job'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import { CREDITS, creation, startBed } from '../operations/bed.ts'
import { chargedTo } from '../operations/job-checks.ts'

const bed = await startBed((end) => afterAll(end), { PROXY_AGENTS: 'trusted' })
const { db, healthy } = bed
const HOUR_MS = 3_600_000

beforeEach(() => connect())

/** Lets these agents be the connected ones, each with four slots. */
async function connect(...names: string[]): Promise<void> {
  const agents = db.collection<{ _id: string }>('agents')
  await agents.deleteMany({})
  const described = { slots: 4, busy: 0, draining: false, connected: true, last_seen_at: new Date(), enrolled: true }
  if (names.length > 0)
    await agents.insertMany(
      names.map((name) => ({ _id: `${name}/1`, name, exit: { id: `exit of ${name}` }, ...described })),
    )
  await healthy.taskAgents.refresh()
}

async function create(user_id: string, more: object = {}): Promise<string> {
  const keywords = ['one', 'two', 'three', 'four', 'five']
  const request = CreateJobRequest.parse({ name: 'j', keywords, language: 'en', max_results: 5, ...more })
  const wanted = creation(user_id, { request })
  const { job_id } = await createJob(
    { ...healthy, engine: { ...healthy.engine, reconcile: async () => undefined } },
    wanted,
  )
  await healthy.engine.reconcile(job_id)
  return job_id
}

const PROXIED = { proxies: ['http://user:secret@proxy.example.com:8080'] }
const releasedOf = (job_id: string) => tasksOf(db).countDocuments({ job_id, state: 'released' })
const user = () => bed.user(10 * CREDITS)

test('a job that no connected agent may take keeps no other job of its user waiting', async () => {
  await connect('plain')
  const user_id = await user()
  const proxied = await create(user_id, PROXIED)
  expect(await releasedOf(proxied)).toBeGreaterThan(0)
  expect(await releasedOf(await create(user_id))).toBe(4)
})

test('tasks that every connected agent was refused keep no other job of their user waiting', async () => {
  await connect('plain')
  const user_id = await user()
  const refused = await create(user_id)
  expect(await releasedOf(refused)).toBe(4)
  expect(await releasedOf(await create(user_id))).toBe(0)
  const refusal = { claimant: 'exit of plain', until: new Date(Date.now() + HOUR_MS) }
  await tasksOf(db).updateMany({ job_id: refused, state: 'released' }, { $set: { refused: [refusal] } })
  expect(await releasedOf(await create(user_id))).toBe(4)
})

test('a task that one of several agents may claim counts in the window of its user', async () => {
  await connect('plain', 'trusted')
  const user_id = await user()
  const proxied = await create(user_id, PROXIED)
  expect(await releasedOf(proxied)).toBe(4)
  const refusal = { claimant: 'exit of plain', until: new Date(Date.now() + HOUR_MS) }
  await tasksOf(db).updateMany({ job_id: proxied }, { $set: { refused: [refusal] } })
  expect(await releasedOf(await create(user_id))).toBe(4) // of eight, for two agents
})

/** Lets a job have been without an agent for so long. */
const wait = (job_id: string, ms: number) =>
  jobsOf(db).updateOne({ _id: job_id }, { $set: { no_agent_since: new Date(Date.now() - ms) } })

const NO_AGENT: Partial<JobDocument> = {
  phase: 'pending',
  progress: expect.objectContaining({ waiting_reason: 'no_agent' }),
}

test('a pending job that no agent may take for a day fails, and nothing is billed', async () => {
  await connect('plain')
  const user_id = await user()
  const job_id = await create(user_id, PROXIED)
  expect(await bed.find(job_id)).toMatchObject({ ...NO_AGENT, no_agent_since: expect.any(Date) })
  await wait(job_id, 24 * HOUR_MS - 60_000)
  await healthy.engine.reconcile(job_id)
  expect(await bed.find(job_id)).toMatchObject({ phase: 'pending' })

  await wait(job_id, 24 * HOUR_MS + 60_000)
  await healthy.engine.reconcile(job_id)
  expect(await bed.find(job_id)).toMatchObject({
    status: 'failed',
    failure_reason: expect.stringMatching(/^no_agent: for 24 hours no connected agent/),
    total_cost: 0,
  })
  await healthy.endedJobs.idle()
  expect(await bed.find(job_id)).toMatchObject({ phase: 'ended' })
  expect(await takenSlots(healthy.db, user_id)).toEqual([])
  expect(await healthy.ledger.state(user_id)).toMatchObject({ balance: 10 * CREDITS, held: 0 })
  expect(await deliveriesOf(db).distinct('event_type', { user_id }, SCAN)).toEqual(['job.failed'])
  expect(await tasksOf(db).distinct('state', { job_id })).toEqual(['cancelled'])
})

test('an agent that may take a pending job ends its wait for one, which begins again when the agent leaves', async () => {
  await connect('plain')
  const job_id = await create(await user(), PROXIED)
  await wait(job_id, 24 * HOUR_MS - 60_000)
  await connect('plain', 'trusted')
  await healthy.engine.reconcile(job_id)
  expect(await bed.find(job_id)).not.toHaveProperty('no_agent_since')
  await connect('plain')
  await healthy.engine.reconcile(job_id)
  expect(Number((await bed.find(job_id)).no_agent_since)).toBeGreaterThan(Date.now() - HOUR_MS)
})

test('a job that has started never fails for want of an agent', async () => {
  const { user_id, job_id } = await bed.running()
  await wait(job_id, 48 * HOUR_MS)
  await healthy.engine.reconcile(job_id)
  expect(await bed.find(job_id)).toMatchObject({ phase: 'running' })
  expect(await chargedTo(bed, user_id)).toBeGreaterThan(0)
})
