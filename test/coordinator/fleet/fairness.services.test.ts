import { isDeepStrictEqual } from 'node:util'
import { markPaid } from '@placefleet/coordinator/accounts/store'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { userWindow } from '@placefleet/coordinator/tasks/plan'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { claimTask } from '../../harness/agents/task-call.ts'
import { createClient } from '../../harness/coordinator/client.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const LARGE_JOBS = 10

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
  const other = createClient(coordinator.url, (await addUser(world.db)).key)
  for (let job = 0; job < LARGE_JOBS; job++) await coordinator.client.create({ keywords: ['large'], max_results: 100 })
  await addAgent(world, coordinator.grpc, collector, 1)
  await until('the large jobs are under way', () => taken.length > LARGE_JOBS + 5)

  ordering = true
  const before = taken.length
  small = await other.create({ keywords: ['small'] })
  const job = await other.ended(small)

  const between = taken.slice(before, taken.lastIndexOf(small)).filter((job_id) => job_id !== small).length
  expect(job).toMatchObject({ status: 'completed', result_count: 5 })
  expect(between).toBeLessThanOrEqual(10)
})

test('of a paying user twice as many tasks wait in the queue as of another user, again once they were claimed', async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world)
  const [paying, free] = [await addUser(world.db), await addUser(world.db)]
  await markPaid(world.db, paying.user_id)
  const keywords = ['one', 'two', 'three', 'four', 'five']
  for (const { key } of [paying, free]) await createClient(coordinator.url, key).create({ keywords })

  const queued = () => tasksOf(world.db).find({ state: 'released' }).toArray()
  const untilQueued = (counts: { paying: number; free: number }) =>
    until(`${JSON.stringify(counts)} are in the queue`, async () => {
      const tasks = await queued()
      const of = ({ user_id }: { user_id: string }) => tasks.filter((task) => task.user_id === user_id).length
      return isDeepStrictEqual({ paying: of(paying), free: of(free) }, counts)
    })
  await untilQueued({ paying: userWindow(0, true), free: userWindow(0, false) })
  const claimed = (await queued()).map((task) => claimTask(coordinator.grpc, { task_id: task._id }))
  await Promise.all(claimed.map((call) => call.next()))
  await untilQueued({ paying: keywords.length - userWindow(0, true), free: userWindow(0, false) })
})
