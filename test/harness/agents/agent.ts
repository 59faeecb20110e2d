import { randomUUID } from 'node:crypto'
import type { Collector } from '@placefleet/agent/collect/collector'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createTaskQueue } from '@placefleet/agent/fleet/task-queue'
import { startWorker } from '@placefleet/agent/fleet/worker'
import { TIMINGS } from '@placefleet/agent/timings'
import { agentInbox, natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { AGENT_TOKEN, type World } from '../coordinator/world.ts'

/** Starts an agent in this process, with the real worker, streams and queue, and a scripted collector. */
export async function addAgent(
  world: Pick<World, 'natsAgentUrl' | 'log' | 'life'>,
  grpc: string,
  collector: Collector,
  slots = 4,
  timings = TIMINGS,
  coordinator = connectCoordinator(grpc, AGENT_TOKEN),
) {
  const draining = new AbortController()
  const agent_id = randomUUID()
  const nats = await connect({
    ...natsServers(world.natsAgentUrl),
    inboxPrefix: agentInbox('test', agent_id),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
  })
  const runner = { log: world.log, coordinator, collector, agent_id, timings, draining: draining.signal }
  const worker = startWorker(runner, createTaskQueue(nats, world.log), slots)
  const drain = async () => {
    draining.abort()
    await worker.done
  }
  world.life.own('agent', drain, async (end) => {
    await end()
    coordinator.close()
    await nats.close()
  })
  return { agent_id, drain, busy: worker.busy }
}
