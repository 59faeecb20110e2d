import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { createFinisher, type FinishDeps } from '@placefleet/coordinator/jobs/finish'
import { referencesOf, tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { afterAll, expect, test } from 'vitest'
import { startBed } from '../operations/bed.ts'

const bed = await startBed((end) => afterAll(end))

const finisher = (parts: Partial<FinishDeps>) =>
  createFinisher({
    ...bed.healthy,
    log: bed.log,
    announceEnd: () => undefined,
    recordDeliveries: async (job) => void (await recordDeliveries(bed.db, job)),
    recordRunEnd: async () => undefined,
    isNeeded: async () => false,
    ...parts,
  })

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

  await finisher({ isNeeded: async () => true }).tidy(await bed.find(job_id))
  expect(await kept()).toEqual([2, 1, longAgo])
  await finisher({}).tidy(await bed.find(job_id))
  expect(await kept()).toEqual([2, 0, undefined])
})

test('a monitor that cannot record the end of its job keeps no webhook from hearing of it', async () => {
  const { user_id, job_id } = await bed.pending()
  const { jobs } = bed.healthy
  const closing = (await jobs.cancelPending(await bed.find(job_id))) ?? expect.fail('the job is not pending')
  const fails = () => Promise.reject(new Error('the run cannot be written'))
  await expect(finisher({ recordRunEnd: fails }).close(closing)).rejects.toThrow('cannot be written')
  expect(await deliveriesOf(bed.db).distinct('event_type', { user_id })).toEqual(['job.cancelled'])
  expect(await bed.find(job_id)).toMatchObject({ phase: 'closing', status: 'cancelled' })
  await bed.sweep(user_id)
  expect(await bed.find(job_id)).toMatchObject({ phase: 'ended' })
  expect(await deliveriesOf(bed.db).countDocuments({ user_id })).toBe(1)
})

test('a cancellation meets the decided end of a job: it waits, and is refused', async () => {
  const { user_id, job_id } = await bed.running()
  const { jobs, engine } = bed.healthy
  await jobs.move({ _id: job_id, phase: 'running' }, 'ending', { end: { status: 'completed' } })
  await expect(cancelJob(jobs, engine, user_id, job_id)).rejects.toMatchObject({ code: 'conflict' })
  expect(await bed.find(job_id)).toMatchObject({ phase: 'ended', status: 'completed' })
})
