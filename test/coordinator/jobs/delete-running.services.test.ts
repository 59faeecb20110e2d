import { createHolds } from '@placefleet/coordinator/billing/ledger/holds'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { costWith } from '@placefleet/coordinator/billing/prices/cost'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { expect, test } from 'vitest'
import { claimTask } from '../../harness/agents/task-call.ts'
import { FAST } from '../../harness/coordinator/fast.ts'
import { placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

test('a job that is deleted while it runs is billed for all stored places, even if its agent does not stop', async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world, {}, { timings: FAST })
  const { job_id, task_id } = await releasedTask(world, coordinator)
  const call = claimTask(coordinator.grpc, { task_id })
  expect(await call.next()).toMatchObject({ $case: 'assignment' })
  call.event(1n, placesEvent(0, 1, 2))
  expect(await call.next()).toMatchObject({ $case: 'acknowledgement' })

  expect((await coordinator.client.call('DELETE', `/api/v1/jobs/${job_id}`)).status).toBe(204)
  // The sweeps are closer together than the job's wait for its agent, so one takes place in between.
  const job = await until('what the job stored is removed', async () => {
    return await jobsOf(world.db).findOne({ _id: job_id, phase: 'deleted' })
  })

  expect(await resultsOf(world.db).countDocuments({ job_id, sealed: { $exists: false } })).toBe(0)
  const cost = costWith(job, { places: 3, reviews: 0, images: 0 })
  expect(job).toMatchObject({ status: 'cancelled', totals: { places: 3 }, total_cost: cost })
  const holds = createHolds(createLedger(mongoLedgerStore(world.db)))
  expect(await holds.of(job.user_id, job_id)).toEqual({ held: 0, charged: cost, settled: true })
})
