import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { type EndedJobsDeps, followEnd } from '@placefleet/coordinator/jobs/ended-jobs'
import { cancelPending, moveJob } from '@placefleet/coordinator/jobs/phase-moves'
import { takenSlots } from '@placefleet/coordinator/jobs/store'
import { expireLeases } from '@placefleet/coordinator/jobs/sweep'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { MongoNetworkError } from 'mongodb'
import { afterAll, describe, expect, test } from 'vitest'
import { workOn } from '../../harness/coordinator/work-on.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { steppingDb } from '../../harness/servers/stepping-database.ts'
import { until } from '../../harness/until.ts'
import { createQuietly, creation, startBed } from '../operations/bed.ts'

const bed = await startBed((end) => afterAll(end))
const { db, healthy } = bed

describe('the engine', () => {
  test('aborts a job at its deadline, and takes tasks from agents whose leases ran out', async () => {
    const { job_id, lease } = await bed.running()
    const past = new Date(Date.now() - 60_000)
    await tasksOf(db).updateOne({ _id: lease.task_id }, { $set: { lease_until: past } })
    await expireLeases(healthy)
    await until('the task is released again', async () => {
      const task = await tasksOf(db).findOne({ _id: lease.task_id, state: 'released' })
      return task?.failures === 1
    })
    await jobsOf(db).updateOne({ _id: job_id }, { $set: { deadline_at: past } })
    await workOn(db, healthy, job_id)
    expect(await bed.find(job_id)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' })
  })

  test.each([
    ['as many collect tasks as its window holds', 'no_website' as const, 2],
    ['only the collect tasks that its cap needs', 'all' as const, 1],
  ])('releases %s for a job with the website filter %s', async (_, website_filter, tasks) => {
    const user_id = await bed.user()
    const request = { ...creation(user_id).request, website_filter, max_results: 1 }
    const { job_id } = await createQuietly(healthy, creation(user_id, { request }))
    await jobsOf(db).updateOne({ _id: job_id }, { $set: { phase: 'running', status: 'running' } })
    // Before its searches are done: a pass of its own would end the job without references.
    await healthy.references.add(
      job_id,
      Array.from({ length: 30 }, (_, n) => ({ place_key: `0x1:0x${n + 1}` })),
    )
    await tasksOf(db).updateMany({ job_id, kind: 'discover' }, { $set: { state: 'done' } })
    await healthy.engine.reconcile(job_id)
    expect(await tasksOf(db).countDocuments({ job_id, kind: 'collect' })).toBe(3)
    expect(await tasksOf(db).countDocuments({ job_id, kind: 'collect', state: 'released' })).toBe(tasks)
  })

  test('lets a job outlive its deadline while the map site refuses all its tasks', async () => {
    const { job_id, lease } = await bed.running()
    await healthy.leases.snooze(lease, { seconds: 600, claimant: 'exit', others: [] }, {})
    const refused = await tasksOf(db).findOne({ _id: lease.task_id })
    const others = { job_id, _id: { $ne: lease.task_id } }
    await tasksOf(db).updateMany(others, {
      $set: { state: 'waiting', not_before: refused?.not_before ?? new Date(), refused: refused?.refused ?? [] },
    })
    await jobsOf(db).updateOne({ _id: job_id }, { $set: { deadline_at: new Date(0) } })
    await workOn(db, healthy, job_id)
    const job = await bed.find(job_id)
    expect(job).toMatchObject({ status: 'running', rest: { until: refused?.not_before } })
    expect(Number(job?.deadline_at)).toBeGreaterThan(Number(refused?.not_before))
  })

  test('answers with the job whose last write of its creation was stored and not acknowledged', async () => {
    const user_id = await bed.user()
    let writes = 0
    const lostAnswer = async (write: () => Promise<unknown>) => {
      await write()
      writes += 1
      if (writes === 2) throw new MongoNetworkError('connection closed') // the tasks, then the list
    }
    const by = { ...healthy, db: steppingDb(db, ['bulkWrite'], lostAnswer) }
    const { job_id } = await createQuietly(by, creation(user_id, { concurrent_jobs: 1 }))
    expect(await takenSlots(db, user_id)).toEqual([0])
    expect(await bed.find(job_id)).toMatchObject({ status: 'pending', listed: true })
  })

  test('ends a cancelled job whose agents never stop', async () => {
    const { job_id } = await bed.running()
    await healthy.engine.endEarly(await bed.find(job_id))
    await jobsOf(db).updateOne({ _id: job_id }, { $set: { phase_at: new Date(Date.now() - 60_000) } })
    await workOn(db, healthy, job_id)
    expect(await bed.find(job_id)).toMatchObject({ status: 'cancelled' })
  })

  const statesOf = async (job_id: string) =>
    (await tasksOf(db).find({ job_id }).toArray()).map(({ state }) => state).sort()

  test('shows how many tasks of a job have ended', async () => {
    const { job_id } = await bed.running()
    await tasksOf(db).updateMany({ job_id, state: { $ne: 'running' } }, { $set: { state: 'done' } })
    await bed.inSteps(
      (write) => write(),
      (seen) => bed.over(seen).engine.reconcile(job_id),
    ) // it has shown nothing of the job yet
    expect(await bed.find(job_id)).toMatchObject({ progress: { tasks_total: 2, tasks_done: 1 } })
  })

  test('ends the tasks of a cancelled job that no agent holds at once, and releases no returned ones', async () => {
    const { job_id, lease } = await bed.running()
    await healthy.engine.endEarly(await bed.find(job_id))
    expect(await statesOf(job_id)).toEqual(['cancelled', 'running'])
    await tasksOf(db).updateOne({ job_id, _id: { $ne: lease.task_id } }, { $set: { state: 'waiting' } })
    await healthy.engine.reconcile(job_id)
    expect(await statesOf(job_id)).toEqual(['cancelled', 'running'])
  })
})

test('a job whose only task waits after a failure continues after the wait, without a sweep', async () => {
  const { job_id, lease } = await bed.running()
  await tasksOf(db).updateMany({ job_id, _id: { $ne: lease.task_id } }, { $set: { state: 'done' } })
  await healthy.leases.fail(lease, { code: 'source_unavailable', message: 'no answer' }, {})
  healthy.engine.taskReturned(job_id)
  const { released_at, not_before } = await until('the task is released', () =>
    tasksOf(db).findOne({ job_id, state: 'released', failures: 1 }),
  )
  expect(released_at?.getTime()).toBeGreaterThanOrEqual(not_before?.getTime() ?? Infinity)
})

/** Does what follows the end of a job, as it is now. */
const follow = async (job_id: string, parts: Partial<EndedJobsDeps>) => {
  const nobody = { onJobEnded: [], isNeeded: async () => false }
  await followEnd({ ...bed.healthy, ...nobody, ...parts }, await bed.find(job_id), new AbortController().signal)
}

test('an ended job keeps its references until its run is compared, and its tasks after it', async () => {
  const { job_id } = await bed.pending()
  await bed.healthy.engine.reconcile(job_id)
  const longAgo = new Date(Date.now() - 600_000)
  const ended = { phase: 'ended', end: 'cancelled', status: 'cancelled', phase_at: longAgo } as const
  await jobsOf(bed.db).updateOne({ _id: job_id }, { $set: { ...ended, due_at: longAgo } })
  await referencesOf(bed.db).insertOne({
    _id: `${job_id} 1`,
    job_id,
    position: 1,
    place_key: '0x1:0x1',
    reference: { place_key: '0x1:0x1' },
  })
  const kept = async () => [
    await tasksOf(bed.db).countDocuments({ job_id }),
    await referencesOf(bed.db).countDocuments({ job_id }),
    (await bed.find(job_id)).due_at,
  ]

  await follow(job_id, { isNeeded: async () => true })
  expect(await kept()).toEqual([2, 1, longAgo])
  await follow(job_id, {})
  expect(await kept()).toEqual([2, 0, undefined])
})

test('a hook that fails keeps none before it from hearing of the end of a job, and is called again', async () => {
  const { user_id, job_id } = await bed.pending()
  await cancelPending(bed.healthy.db, await bed.find(job_id))
  const heard: string[] = []
  const first = async () => void heard.push('first')
  const fails = () => Promise.reject(new Error('the run cannot be written'))
  await expect(follow(job_id, { onJobEnded: [first, fails] })).rejects.toThrow('cannot be written')
  expect(heard).toEqual(['first'])
  expect(await bed.find(job_id)).toMatchObject({ phase: 'closing', status: 'cancelled' })
  await bed.sweep(user_id)
  expect(await bed.find(job_id)).toMatchObject({ phase: 'ended' })
  expect(await deliveriesOf(bed.db).distinct('event_type', { user_id }, SCAN)).toEqual(['job.cancelled'])
})

test('no hook is called once another coordinator has the job', async () => {
  const { job_id } = await bed.pending()
  await cancelPending(bed.healthy.db, await bed.find(job_id))
  const lost = new AbortController()
  const heard: string[] = []
  const onJobEnded = [async () => lost.abort(), async () => void heard.push('second')]
  const nobody = { onJobEnded, isNeeded: async () => false }
  await expect(followEnd({ ...bed.healthy, ...nobody }, await bed.find(job_id), lost.signal)).rejects.toThrow('abort')
  expect(heard).toEqual([])
  expect(await bed.find(job_id)).toMatchObject({ phase: 'closing' })
})

test('a cancellation meets the decided end of a job: it waits, and is refused', async () => {
  const { user_id, job_id } = await bed.running()
  const { db, engine } = bed.healthy
  await moveJob(db, { _id: job_id, phase: 'running' }, 'ending', { end: { status: 'completed' } })
  await expect(cancelJob(db, engine, user_id, job_id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await bed.find(job_id)).toMatchObject({ status: 'completed' })
})
