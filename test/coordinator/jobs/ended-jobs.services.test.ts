import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { type EndedJobsDeps, followEnd } from '@placefleet/coordinator/jobs/ended-jobs'
import { cancelPending, moveJob } from '@placefleet/coordinator/jobs/phase-moves'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { afterAll, expect, test } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import { startBed } from '../operations/bed.ts'

const bed = await startBed((end) => afterAll(end))

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
