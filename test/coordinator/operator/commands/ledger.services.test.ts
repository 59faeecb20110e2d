import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { costWith } from '@placefleet/coordinator/billing/prices/cost'
import { countEndedJobs } from '@placefleet/coordinator/jobs/counts'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { hideJob } from '@placefleet/coordinator/jobs/phase-moves'
import { createResultAppender } from '@placefleet/coordinator/results/append'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import type { Place } from '@placefleet/shared/place'
import { expect, test } from 'vitest'
import { lifeOf, sampleJob } from '../../../harness/coordinator/sample-job.ts'
import { testUser } from '../../../harness/coordinator/users.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { opsOn } from './run-ops.ts'

const database = await testDatabase()
const { db } = database
const ops = opsOn(database)
const ledger = createLedger(mongoLedgerStore(db))
const holds = createHolds(ledger)
const results = createResultAppender(db)
const LONG_AGO = new Date('2026-01-01T00:00:00Z')

const place = (place_key: string): Place => ({
  place_key,
  title: place_key,
  images: [{ title: 'front', url: 'https://example.com/1.jpg' }],
})

/** Returns a user with one completed job of three places, stored and billed as the service does. */
async function completedJob() {
  const { user_id } = await testUser(db)
  const bonus = { reference_type: 'grant', reference_id: 'first' }
  await grant(ledger, { user_id, amount: 1_000_000, type: 'bonus', reference: bonus, description: 'Welcome' })
  const job = sampleJob(user_id, { started_at: LONG_AGO })
  const about = { user_id, job_id: job._id }
  await holds.reserve({ ...about, max: 500_000, min: 1 })
  await holds.chargeStart({ ...about, job_name: job.name, price: job.prices.job_start })
  const from = { ...about, task_id: 'task', attempt: 1, agent_id: 'agent', max_results: 50, affordable: () => true }
  const places = ['a', 'b', 'c'].map((key) => ({ place_key: key, place: place(key), web_presence: 'none' as const }))
  await results.append(from, places)
  const totals = await results.seal(job._id)
  const { charged } = await holds.settle({ ...about, job_name: job.name, total: costWith(job, totals) })
  const end = { ...lifeOf('completed'), status: 'completed', totals, total_cost: charged, ended_at: LONG_AGO } as const
  await jobsOf(db).insertOne({ ...job, ...end })
  return { user_id, job_id: job._id, charged }
}

type Verification = { users: number; entries: number; jobs: number; deviations: { subject: string; message: string }[] }

async function verify(user_id: string) {
  const { code, out } = await ops.run('ledger', 'verify', '--user', user_id, '--json')
  return { code, ...(JSON.parse(out) as Verification) }
}

test('clean books end with 0, for one user and for all', async () => {
  const { user_id, charged } = await completedJob()
  expect(charged).toBe(7_000 + 3 * 3_000 + 3 * 500)
  expect(await verify(user_id)).toEqual({ code: 0, users: 1, entries: 4, jobs: 1, deviations: [] })
  const all = await ops.run('ledger', 'verify')
  expect(all).toMatchObject({ code: 0, err: '' })
  expect(all.out).toMatch(/: 0 deviations/)
})

test('a job that was deleted leaves clean books', async () => {
  const { user_id, job_id } = await completedJob()
  await countEndedJobs(db, user_id)
  await hideJob(db, { _id: job_id, phase: 'ended', end: 'completed' })
  await results.bury(job_id)
  expect(await verify(user_id)).toMatchObject({ code: 0, jobs: 0, deviations: [] })
})

test('a list that counts jobs too many is found, and `jobs recount` mends it', async () => {
  const { user_id } = await completedJob()
  await countEndedJobs(db, user_id)
  await db.collection<{ _id: string }>('job_counts').updateOne({ _id: user_id }, { $inc: { 'jobs.completed': 2 } })
  const drift = { user_id, subject: 'list of jobs', message: 'counts 2 completed jobs too many' }
  expect(await verify(user_id)).toMatchObject({ code: 1, deviations: [drift] })
  expect(await ops.run('jobs', 'recount')).toMatchObject({ code: 0, err: '' })
  expect(await verify(user_id)).toMatchObject({ code: 0, deviations: [] })
})

test('a place that is missing is found by counting the places themselves', async () => {
  const { user_id, job_id } = await completedJob()
  await resultsOf(db).deleteOne({ job_id, place_key: 'b' })
  const { code, deviations } = await verify(user_id)
  expect(code).toBe(1)
  expect(deviations.map(({ message }) => message)).toEqual([
    'counts 3 places; 2 are stored',
    'counts 3 images; 2 are stored',
    'was charged 0.017500; what is stored costs 0.014000',
    'shows a cost of 0.017500; what is stored costs 0.014000',
  ])
  await resultsOf(db).deleteMany({ job_id })
  await jobsOf(db).deleteOne({ _id: job_id })
})
