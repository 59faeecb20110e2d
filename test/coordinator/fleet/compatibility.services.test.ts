import { credentials, Metadata, status as Status } from '@grpc/grpc-js'
import { FleetServiceClient } from '@placefleet/proto/fleet'
import { isCompatible, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { claimOn } from '../../harness/agents/task-call.ts'
import { finishedEvent, placesEvent, releasedTask } from '../../harness/coordinator/released-task.ts'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

/** Returns a connection that sends this version of the contract, or none. */
function speaking(grpc: string, protocol: string | undefined) {
  const client = new FleetServiceClient(grpc, credentials.createInsecure())
  onTestFinished(() => client.close())
  const metadata = new Metadata({ waitForReady: true })
  metadata.set('authorization', `Bearer ${AGENT_TOKEN}`)
  if (protocol !== undefined) metadata.set(PROTOCOL_METADATA, protocol)
  return { openTaskStream: () => client.runTask(metadata) }
}

test('an agent one version ahead collects a task from its claim to its end', async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world)
  const { job_id, task_id } = await releasedTask(world, coordinator)
  const call = claimOn(speaking(coordinator.grpc, String(PROTOCOL + 1)), { task_id })

  expect(await call.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1 } })
  call.event(1n, placesEvent(1, 2))
  expect(await call.next()).toMatchObject({ $case: 'acknowledgement', value: { sequence: 1n } })
  call.event(2n, finishedEvent)
  await call.next()

  expect(await coordinator.client.ended(job_id)).toMatchObject({ status: 'completed', result_count: 2 })
})

test('a stopping coordinator sends its agents away, and they continue with another one', async () => {
  const protocol = String(PROTOCOL)
  const world = await startWorld()
  const leaving = await addCoordinator(world, { DRAIN_SECONDS: '1' })
  const staying = await addCoordinator(world)
  const { job_id, task_id, tasks } = await releasedTask(world, leaving)
  const call = claimOn(speaking(leaving.grpc, protocol), { task_id })
  await call.next()
  call.event(1n, placesEvent(1))
  await call.next()

  const drained = leaving.drain()
  expect(await call.next()).toEqual({ $case: 'stop', value: { reason: 'draining' } })
  expect(await call.next()).toEqual({ $case: 'ended', code: Status.UNAVAILABLE })
  const resumed = { task_id, agent_id: call.agent_id, resume_attempt: 1 }
  const again = claimOn(speaking(staying.grpc, protocol), resumed)
  expect(await again.next()).toMatchObject({ $case: 'assignment', value: { attempt: 1, acknowledged_sequence: 1n } })
  await drained
  await leaving.close()
  again.event(2n, finishedEvent)
  await again.next()

  expect(await staying.client.ended(job_id)).toMatchObject({ status: 'completed', result_count: 1 })
  expect(await tasks.findOne({ _id: task_id })).toMatchObject({ attempt: 1, failures: 0 })
})

test('an agent without a version or more than one version apart is refused with what to do', async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world)
  const { task_id } = await releasedTask(world, coordinator)

  for (const protocol of [String(PROTOCOL + 2), '0', 'new', '-1', undefined]) {
    const call = claimOn(speaking(coordinator.grpc, protocol), { task_id })
    expect(await call.next()).toEqual({ $case: 'ended', code: Status.FAILED_PRECONDITION })
  }
  const next = claimOn(speaking(coordinator.grpc, String(PROTOCOL + 1)), { task_id })
  expect(await next.next()).toMatchObject({ $case: 'assignment' })
})

test('versions one apart work together, from the first released one on', () => {
  const distances = [-2, -1, 0, 1, 2]
  expect(distances.filter((distance) => isCompatible(PROTOCOL + distance))).toEqual([0, 1])
})
