import { randomUUID } from 'node:crypto'
import { OPEN_STATES, type TaskState, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { JOB_WINDOW } from '@placefleet/coordinator/tasks/plan'
import {
  cancelTasks,
  forgetEndedTasks,
  insertTasks,
  type ReleaseDemand,
  releaseTasks,
  retryFailedTask,
  taskCounts,
  taskSummary,
} from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const tasks = tasksOf(db)

/** Creates a job with so many waiting searches, and returns its id. */
async function jobOf(searches: number): Promise<string> {
  const job_id = randomUUID()
  const ordinals = Array.from({ length: searches }, (_, ordinal) => ordinal).reverse()
  const kind = 'discover' as const
  await insertTasks(
    db,
    ordinals.map((ordinal) => ({ job_id, user_id: 'user', kind, ordinal, keyword: 'bakery' })),
  )
  return job_id
}

/** Demand for so many searches of a job whose searches all wait. */
const demandFor = (searches: number): ReleaseDemand => ({
  unclaimed: { job: JOB_WINDOW - searches, user: 0 },
  waiting: { discover: JOB_WINDOW, collect: 0 },
  slots: 100,
  size: 10,
  paid: true,
  collecting: 0,
  wanted: 500,
  filtered: false,
})

const ordinalsOf = (released: { ordinal: number }[]) => released.map(({ ordinal }) => ordinal)

test('the tasks of a job are released in their order', async () => {
  const job_id = await jobOf(4)
  expect(ordinalsOf((await releaseTasks(db, job_id, demandFor(2))).released)).toEqual([0, 1])
  expect(ordinalsOf((await releaseTasks(db, job_id, demandFor(2))).released)).toEqual([2, 3])
})

test('a task is not released before its delay, and the caller learns when', async () => {
  const job_id = await jobOf(2)
  await tasks.updateOne({ job_id, ordinal: 0 }, { $set: { not_before: new Date(Date.now() + 60_000) } })
  await tasks.updateOne({ job_id, ordinal: 1 }, { $set: { not_before: new Date(Date.now() - 60_000) } })
  const { released, nextInMs } = await releaseTasks(db, job_id, demandFor(2))
  expect(ordinalsOf(released)).toEqual([1])
  expect(nextInMs).toBeGreaterThan(0)
})

test('a job of which a task failed for want of Chromium says so, and one whose later attempt went well does not', async () => {
  const failure = { code: 'chromium_unavailable', message: 'Chromium cannot start' } as const
  const reasonOf = async (state: TaskState) => {
    const job_id = await jobOf(2)
    await tasks.updateOne({ job_id, ordinal: 0 }, { $set: { state, failure } })
    return (await taskSummary(db, job_id)).limited_reason
  }
  expect(await reasonOf('failed')).toBe('chromium_unavailable')
  expect(await reasonOf('done')).toBeUndefined()
})

test('a task that another coordinator released and an agent took meanwhile stays with the agent', async () => {
  const job_id = await jobOf(1)
  const slow = new Proxy(tasks, {
    get(target, name) {
      if (name !== 'updateMany') return Reflect.get(target, name).bind(target)
      return async (...update: Parameters<typeof target.updateMany>) => {
        await target.updateOne({ job_id }, { $set: { state: 'running' } })
        return target.updateMany(...update)
      }
    },
  })
  const slowDb = new Proxy(db, {
    get: (target, name) => (name === 'collection' ? () => slow : Reflect.get(target, name)),
  })
  expect((await releaseTasks(slowDb, job_id, demandFor(1))).released).toEqual([])
  expect(await tasks.findOne({ job_id })).toMatchObject({ state: 'running' })
})

/** Creates a job with one search in each state, and returns its id. */
async function jobInEveryState(): Promise<string> {
  const states: TaskState[] = [...OPEN_STATES, 'done', 'failed', 'cancelled']
  const job_id = await jobOf(states.length)
  for (const [ordinal, state] of states.entries()) await tasks.updateOne({ job_id, ordinal }, { $set: { state } })
  return job_id
}

const statesOf = async (job_id: string) =>
  (await tasks.find({ job_id }).sort({ ordinal: 1 }).toArray()).map(({ state }) => state)

test('a cancel ends only the tasks in the states that it names, by default the open ones', async () => {
  const [some, all] = [await jobInEveryState(), await jobInEveryState()]

  await cancelTasks(db, some, ['waiting', 'released'])
  await cancelTasks(db, all)

  expect(await statesOf(some)).toEqual(['cancelled', 'cancelled', 'running', 'done', 'failed', 'cancelled'])
  expect(await statesOf(all)).toEqual(['cancelled', 'cancelled', 'cancelled', 'done', 'failed', 'cancelled'])
})

test('an ended task is kept for a week, and a failed one for 30 days', async () => {
  const [young, week, month] = [await jobInEveryState(), await jobInEveryState(), await jobInEveryState()]
  const endedDaysAgo = (days: number) => ({ $set: { ended_at: new Date(Date.now() - days * 86_400_000) } })
  await tasks.updateMany({ job_id: young }, endedDaysAgo(6))
  await tasks.updateMany({ job_id: week }, endedDaysAgo(8))
  await tasks.updateMany({ job_id: month }, endedDaysAgo(31))

  await forgetEndedTasks(db)

  expect(await statesOf(young)).toEqual(['waiting', 'released', 'running', 'done', 'failed', 'cancelled'])
  expect(await statesOf(week)).toEqual(['waiting', 'released', 'running', 'failed'])
  expect(await statesOf(month)).toEqual(['waiting', 'released', 'running'])
})

test('a failed task that is retried has all its attempts again, and no other task is', async () => {
  const job_id = await jobInEveryState()
  const all = await tasks.find({ job_id }).toArray()
  const jobs = await Promise.all(all.map(({ _id }) => retryFailedTask(db, _id)))
  expect(jobs.filter((job) => job !== undefined)).toEqual([job_id])
  expect(await statesOf(job_id)).not.toContain('failed')
})

test('tasks that are done, failed or cancelled count as ended', async () => {
  expect(await taskCounts(db, await jobInEveryState())).toMatchObject({ total: 6, ended: 3, failed: 1, searching: 3 })
})
