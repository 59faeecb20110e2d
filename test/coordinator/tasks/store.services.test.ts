import { randomUUID } from 'node:crypto'
import { attemptsOf } from '@placefleet/coordinator/tasks/attempts'
import { OPEN_STATES, referencesOf, type TaskState, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createLeases, type Lease, processId } from '@placefleet/coordinator/tasks/lease'
import { tasksOfJob } from '@placefleet/coordinator/tasks/of-job'
import { createReferences, JOB_WINDOW, MAX_REFERENCES } from '@placefleet/coordinator/tasks/plan'
import {
  cancelTasks,
  findTask,
  forgetEndedTasks,
  insertTasks,
  type ReleaseDemand,
  releaseTasks,
  retryFailedTask,
  taskCounts,
  taskSummary,
} from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
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

test('tasks that are done, failed or cancelled count as ended', async () => {
  expect(await taskCounts(db, await jobInEveryState())).toMatchObject({ total: 6, ended: 3, failed: 1, searching: 3 })
})

test('a failed task that is retried has all its attempts again, and no other task is', async () => {
  const job_id = await jobInEveryState()
  const all = await tasks.find({ job_id }).toArray()
  const jobs = await Promise.all(all.map(({ _id }) => retryFailedTask(db, _id)))
  expect(jobs.filter((job) => job !== undefined)).toEqual([job_id])
  expect(await statesOf(job_id)).not.toContain('failed')
})

const leases = createLeases(db)

/** Creates a task that an agent holds. */
async function heldTask(agent_id = 'agent', stream = 'stream'): Promise<Lease> {
  const job_id = randomUUID()
  await insertTasks(db, [{ job_id, user_id: 'user', kind: 'discover', ordinal: 0, keyword: 'bakery' }])
  const { _id } = (await tasks.findOneAndUpdate({ job_id }, { $set: { state: 'released' } })) ?? expect.fail('no task')
  const holder = { agent_id, stream }
  const { attempt } = (await leases.claim(_id, holder)) ?? expect.fail('not claimed')
  return { ...holder, task_id: _id, attempt }
}

const failure = { code: 'layout_changed', message: 'it failed' } as const

test('an agent resumes its attempt on another stream, and no other attempt', async () => {
  const lease = await heldTask()
  expect(await leases.resume({ ...lease, attempt: lease.attempt + 1 })).toBeUndefined()
  expect(await leases.resume({ ...lease, agent_id: 'another' })).toBeUndefined()
  expect(await leases.resume({ ...lease, stream: 'later' })).toMatchObject({ stream: 'later', attempt: lease.attempt })
})

test('a failed task waits for 2 s, then for 4 s, and fails for good with its third failure', async () => {
  const lease = await heldTask()
  const fail = async (attempt: number) => {
    await leases.fail({ ...lease, attempt }, failure, {})
    const { state, failures, not_before, attempts } = (await findTask(db, lease.task_id)) ?? expect.fail('no task')
    await tasks.updateOne({ _id: lease.task_id, state: 'waiting' }, { $set: { state: 'released' } })
    await leases.claim(lease.task_id, lease)
    return { state, failures, waits: Number(not_before) - Number(attempts?.at(-1)?.ended_at) }
  }
  expect(await fail(1)).toEqual({ state: 'waiting', failures: 1, waits: 2_000 })
  expect(await fail(2)).toEqual({ state: 'waiting', failures: 2, waits: 4_000 })
  expect(await fail(3)).toMatchObject({ state: 'failed', failures: 3 })
  expect(await findTask(db, lease.task_id)).toMatchObject({ failure })
})

test('a lease that ran out is taken away, which is a failure, and one that still lasts is not', async () => {
  await leases.expire() // what other tests left
  const [late, other] = [await heldTask(), await heldTask()]
  const task = await tasks.findOneAndUpdate({ _id: late.task_id }, { $set: { lease_until: new Date(0) } })
  expect(await leases.expire()).toEqual([task?.job_id])
  expect(await findTask(db, late.task_id)).toMatchObject({ state: 'waiting', failures: 1 })
  expect(await findTask(db, other.task_id)).toMatchObject({ state: 'running', failures: 0 })
})

test('of leases that are renewed together, the held are renewed and the lost are not', async () => {
  const [held, moved, ended] = await Promise.all(['a', 'b', 'c'].map((stream) => heldTask('agent', stream)))
  if (!held || !moved || !ended) return expect.fail('no leases')
  await leases.resume({ ...moved, stream: 'later' })
  await leases.complete(ended, {})
  await tasks.updateMany({ _id: { $in: [held.task_id, moved.task_id] } }, { $set: { lease_until: new Date(0) } })
  const first = leases.renew(held) // the next ones wait for it, together
  expect(await Promise.all([first, ...[held, moved, ended].map(leases.renew)])).toEqual([true, true, false, false])
  const { lease_until } = (await findTask(db, held.task_id)) ?? expect.fail('no task')
  expect(Number(lease_until)).toBeGreaterThan(Date.now())
  expect((await findTask(db, moved.task_id))?.lease_until).toEqual(new Date(0))
  await leases.expire() // nothing is left for the other tests
})

test('the outcomes of a task add up until it is done', async () => {
  const lease = await heldTask()
  await db.client.bulkWrite([
    leases.acknowledgement(lease, 1, { ok: 2, empty: 1 }),
    leases.acknowledgement(lease, 2, { ok: 4 }),
    leases.completion(lease, { counted: { broken: 1 } }, { ok: 3 }),
  ])
  expect(await findTask(db, lease.task_id)).toMatchObject({ state: 'done', outcomes: { ok: 9, empty: 1, broken: 1 } })
})

test('revoking an agent gives back its tasks, and not those of one whose name begins alike', async () => {
  const [revoked, other] = [await heldTask(processId('berlin', 'a')), await heldTask(processId('berlin-2', 'a'))]
  await leases.giveBackOf('berlin')
  expect(await findTask(db, revoked.task_id)).toMatchObject({ state: 'waiting', failures: 0 })
  expect(await findTask(db, other.task_id)).toMatchObject({ state: 'running' })
})

test('each attempt that did not end its task is recorded with its agent, its exit and how it ended', async () => {
  const lease = await heldTask()
  const claimAgain = async () => {
    await tasks.updateOne({ _id: lease.task_id }, { $set: { state: 'released' } })
    const holder = { agent_id: 'other', stream: 'stream', exit: 'home' }
    return { ...holder, task_id: lease.task_id, attempt: (await leases.claim(lease.task_id, holder))?.attempt ?? 0 }
  }
  await leases.fail(lease, failure, {})
  await leases.snooze(await claimAgain(), { seconds: 0.001, claimant: 'home', others: [] }, {})
  await tasks.updateOne({ _id: lease.task_id }, { $unset: { refused: '' } })
  await leases.handBack(await claimAgain())
  await claimAgain()
  await tasks.updateOne({ _id: lease.task_id }, { $set: { lease_until: new Date(0) } })
  await leases.expire()
  await leases.complete(await claimAgain(), {})
  const attempts = attemptsOf((await findTask(db, lease.task_id)) ?? expect.fail('no task'))
  expect(attempts).toMatchObject([
    {
      number: 1,
      agent_id: 'agent',
      result: 'failed',
      failure,
      started_at: expect.any(Date),
      ended_at: expect.any(Date),
    },
    { number: 2, agent_id: 'other', exit: 'home', result: 'refused' },
    { number: 3, agent_id: 'other', exit: 'home', result: 'handed_back' },
    { number: 4, agent_id: 'other', exit: 'home', result: 'lost', failure: { code: 'agent_crashed' } },
    { number: 5, agent_id: 'other', exit: 'home', result: 'finished', ended_at: expect.any(Date) },
  ])
  expect(attempts[0]).not.toHaveProperty('exit')
})

test('an attempt that runs is listed without an end, and only the latest ten are kept', async () => {
  const lease = await heldTask()
  const { started_at, ended_at } = { started_at: new Date(), ended_at: new Date() }
  const refused = { agent_id: 'agent', started_at, ended_at, result: 'refused' } as const
  const attempts = Array.from({ length: 10 }, (_, index) => ({ ...refused, number: index + 1 }))
  await tasks.updateOne({ _id: lease.task_id }, { $set: { attempts, attempt: 11 } })
  const listed = async () => attemptsOf((await findTask(db, lease.task_id)) ?? expect.fail('no task'))
  expect((await listed()).at(-1)).toEqual({ number: 11, agent_id: 'agent', started_at: expect.any(Date) })
  await leases.fail({ ...lease, attempt: 11 }, failure, {})
  expect((await listed()).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('the tasks of a job are paged in their order, searches first, and by their state', async () => {
  const job_id = randomUUID()
  const wanted = [0, 1, 2].flatMap((ordinal) => [
    { job_id, user_id: 'user', kind: 'collect' as const, ordinal },
    { job_id, user_id: 'user', kind: 'discover' as const, ordinal, keyword: 'bakery' },
  ])
  await insertTasks(db, wanted)
  await tasksOf(db).updateOne({ job_id, kind: 'collect', ordinal: 1 }, { $set: { state: 'done' } })
  const seen: string[] = []
  let after: string | undefined
  for (;;) {
    const page = await tasksOfJob(db, job_id, { after, limit: 2 })
    seen.push(...page.map(({ kind, ordinal }) => `${kind} ${ordinal}`))
    after = page.at(-1)?._id
    if (page.length < 2) break
  }
  expect(seen).toEqual(['discover 0', 'discover 1', 'discover 2', 'collect 0', 'collect 1', 'collect 2'])
  expect((await tasksOfJob(db, job_id, { state: 'done', limit: 9 })).map(({ ordinal }) => ordinal)).toEqual([1])
})

const referenceTo = (n: number) => ({ place_key: keyOf(n), title: `Place ${n}` })

test('a job lists no more places than its limit, and says how many it had or refused', async () => {
  const job_id = randomUUID()
  const last = { _id: randomUUID(), job_id, position: MAX_REFERENCES - 1 }
  await referencesOf(db).insertOne({ ...last, place_key: keyOf(0), reference: referenceTo(0) })
  const found = [0, 1, 2, 3].map(referenceTo)

  expect(await createReferences(db).add(job_id, found)).toMatchObject({ duplicates: 1, refused: 2 })
  expect(await createReferences(db).add(job_id, found)).toMatchObject({ duplicates: 2, refused: 2 })

  const references = createReferences(db)
  expect(await references.count(job_id)).toBe(MAX_REFERENCES)
  const lastTask = MAX_REFERENCES / 20 - 1
  expect((await references.ofTask(job_id, lastTask, 20)).map(({ reference }) => reference)).toEqual([
    referenceTo(0),
    referenceTo(1),
  ])
})

test('references that a crash of the database takes away, after another coordinator read them, leave no gap', async () => {
  const job_id = randomUUID()
  await createReferences(db).add(job_id, [1, 2, 3].map(referenceTo)) // by a coordinator that hears nothing of it
  const [one, other] = [createReferences(db), createReferences(db)]
  await other.add(job_id, [1, 2, 3].map(referenceTo))
  await referencesOf(db).deleteMany({ job_id, position: { $gt: 1 } })
  await other.add(job_id, [referenceTo(4)])
  await one.add(job_id, [2, 3].map(referenceTo))
  expect((await one.ofTask(job_id, 0, 10)).map(({ place_key }) => place_key)).toEqual([1, 4, 2, 3].map(keyOf))
  expect(await one.count(job_id)).toBe(4)
})

test('references that a search sends again are no duplicates, those that another search lists are', async () => {
  const job_id = randomUUID()
  const references = createReferences(db)
  const found = [1, 2].map(referenceTo)
  const [search, other] = [{ task_id: 'search' }, { task_id: 'other' }]
  expect(await references.add(job_id, found, search)).toMatchObject({ duplicates: 0, refused: 0 })
  expect(await references.add(job_id, found, search)).toMatchObject({ duplicates: 0, refused: 0 })
  expect(await references.add(job_id, [...found, referenceTo(3)], other)).toMatchObject({ duplicates: 2, refused: 0 })
  expect(await references.count(job_id)).toBe(3)
})
