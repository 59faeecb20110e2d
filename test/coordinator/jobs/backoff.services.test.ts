import { createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { readConfig } from '@placefleet/coordinator/config'
import { createJob } from '@placefleet/coordinator/jobs/create'
import { findJob } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect, onTestFinished, test } from 'vitest'
import { createParts } from '../../harness/coordinator/parts.ts'
import { coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

test('a job whose only task waits after a failure continues after the wait, without a sweep', async () => {
  const world = await startWorld()
  const nats = await connect(natsServers(world.natsUrl))
  onTestFinished(() => nats.close())
  // No loop runs over these services, so nothing sweeps.
  const services = await createParts({ config: readConfig(coordinatorEnv(world)), log: world.log, db: world.db, nats })
  const { _id: user_id } = await createUser(world.db, { email: 'owner@example.com' })
  const reference = { reference_type: 'grant', reference_id: 'test' }
  await grant(services.ledger, { user_id, amount: 1_000_000, type: 'bonus', reference, description: 'test' })
  const request = CreateJobRequest.parse({ name: 'j', keywords: ['one'], language: 'en', max_results: 5 })
  const creationLimit = { take: async () => undefined }
  const creation = { user_id, source: 'api' as const, paid: false, concurrent_jobs: 1, request }
  const { job_id } = await createJob({ ...services, creationLimit }, creation)
  const released = (failures: number) =>
    until(`the task is released after ${failures} failures`, async () => {
      return await tasksOf(world.db).findOne({ job_id, state: 'released', failures })
    })

  const { _id: task_id } = await released(0)
  const holder = { agent_id: 'agent', stream: 'stream' }
  const { attempt } = (await services.leases.claim(task_id, holder)) ?? expect.fail('the task is taken')
  await services.engine.start((await findJob(services.db, job_id)) ?? expect.fail('no job'))
  await services.leases.fail({ ...holder, task_id, attempt }, { code: 'source_unavailable', message: 'no answer' }, {})
  services.engine.taskReturned(job_id)

  const { released_at, not_before } = await released(1)
  expect(released_at?.getTime()).toBeGreaterThanOrEqual(not_before?.getTime() ?? Infinity)
})
