import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { createFinisher } from '@placefleet/coordinator/jobs/finish'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries } from '@placefleet/coordinator/webhooks/deliveries/record'
import { afterAll, expect, test } from 'vitest'
import { startBed } from '../operations/bed.ts'

const bed = await startBed((end) => afterAll(end))

test('a monitor that cannot record the end of its job keeps no webhook from hearing of it', async () => {
  const { user_id, job_id } = await bed.pending()
  const { jobs } = bed.healthy
  const closing = (await jobs.cancelPending(await bed.find(job_id))) ?? expect.fail('the job is not pending')
  const finisher = createFinisher({
    ...bed.healthy,
    log: bed.log,
    announceEnd: () => undefined,
    areRemovalsPaused: async () => false,
    recordDeliveries: async (job) => void (await recordDeliveries(bed.db, job)),
    recordRunEnd: () => Promise.reject(new Error('a document of the monitor is broken')),
  })
  await expect(finisher.close(closing)).rejects.toThrow('broken')
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
