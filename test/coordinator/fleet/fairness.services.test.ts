import { setTimeout as sleep } from 'node:timers/promises'
import { markPaid } from '@placefleet/coordinator/accounts/store'
import { microCredits } from '@placefleet/coordinator/billing/cost'
import { grant } from '@placefleet/coordinator/billing/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/store'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { testUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld, type World } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const LARGE_JOBS = 10
/** Tasks that are counted once every large job has been searched. */
const COUNTED = 60

/** Returns a user with credits. */
async function userWithCredits({ db }: World, url: string) {
  const { user_id, key } = await testUser(db)
  const reference = { reference_type: 'test', reference_id: 'credits' }
  const ledger = createLedger(mongoLedgerStore(db))
  await grant(ledger, { user_id, amount: microCredits('100'), type: 'bonus', reference, description: 'credits' })
  return { user_id, client: createClient(url, key) }
}

test("a small job waits a few tasks, though another user's large jobs could keep the only slot busy", async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world, { MAX_CONCURRENT_JOBS_FREE: String(LARGE_JOBS) })
  const taken: string[] = []
  const script = scriptedCollector({
    find: (keyword) => Array.from({ length: keyword === 'small' ? 5 : 100 }, (_, n) => n),
  })
  let ordering = false
  let small = ''
  // The large tasks wait until the small job is in the queue, so the result does not depend on its speed.
  const smallIsQueuedOrOver = async () =>
    (await tasksOf(world.db).findOne({ job_id: small, state: 'released' })) !== null ||
    (await jobsOf(world.db).findOne({ _id: small, status: 'completed' })) !== null
  const collector: typeof script = {
    ...script,
    async collect(task, sink, signal) {
      taken.push(task.job_id)
      if (ordering && task.job_id !== small) await until('the small job is queued or over', smallIsQueuedOrOver)
      return script.collect(task, sink, signal)
    },
  }
  const { client: other } = await userWithCredits(world, coordinator.url)
  for (let job = 0; job < LARGE_JOBS; job++) await coordinator.client.create({ keywords: ['large'], max_results: 100 })
  await addAgent(world, coordinator.grpc, collector, 1)
  await until('the large jobs are under way', () => taken.length > LARGE_JOBS + 5)

  ordering = true
  const before = taken.length
  small = await other.create({ keywords: ['small'] })
  const job = await other.ended(small)

  const between = taken.slice(before, taken.lastIndexOf(small)).filter((job_id) => job_id !== small).length
  console.log(`tasks of the large jobs that ran before the small job's two were done: ${between}`)
  expect(job).toMatchObject({ status: 'completed', result_count: 5 })
  expect(between).toBeLessThanOrEqual(10)
})

test('a paying user gets a larger share of a busy fleet than another user, who still gets a share', async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world, {
    MAX_CONCURRENT_JOBS_FREE: String(LARGE_JOBS),
    MAX_CONCURRENT_JOBS_PAID: String(LARGE_JOBS),
  })
  const taken: string[] = []
  const script = scriptedCollector({ find: () => Array.from({ length: 200 }, (_, n) => n), before: () => sleep(60) })
  const collector: typeof script = {
    ...script,
    collect(task, sink, signal) {
      taken.push(task.job_id)
      return script.collect(task, sink, signal)
    },
  }
  const paying = await userWithCredits(world, coordinator.url)
  await markPaid(world.db, paying.user_id)
  const free = await userWithCredits(world, coordinator.url)
  const order = (client: Client) =>
    Promise.all(Array.from({ length: LARGE_JOBS }, () => client.create({ keywords: ['large'], max_results: 200 })))
  const [ofFree, ofPaying] = [new Set(await order(free.client)), new Set(await order(paying.client))]
  await addAgent(world, coordinator.grpc, collector, 6)
  await until('many tasks ran', () => taken.length > 2 * LARGE_JOBS + COUNTED, 150_000)

  const counted = (jobs: ReadonlySet<string>) => taken.slice(2 * LARGE_JOBS).filter((job_id) => jobs.has(job_id)).length
  console.log(`tasks that ran of who pays: ${counted(ofPaying)}, and of who does not: ${counted(ofFree)}`)
  expect(counted(ofPaying)).toBeGreaterThan(1.1 * counted(ofFree))
  expect(counted(ofFree)).toBeGreaterThan(COUNTED / 6)
}, 180_000) // on a busy machine
