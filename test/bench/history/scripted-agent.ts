import { randomUUID } from 'node:crypto'
import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createTaskQueue } from '@placefleet/agent/fleet/task-queue'
import { startWorker } from '@placefleet/agent/fleet/worker'
import { TIMINGS } from '@placefleet/agent/timings'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { agentInbox, natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'

const SLOTS = 4

type Address = { natsAgentUrl: string; grpc: string; token: string }

/** Starts an agent with the real worker and streams, whose searches find `found` places at once. The lifecycle ends it. */
export async function startScriptedAgent(
  life: Lifecycle,
  { natsAgentUrl, grpc, token }: Address,
  found: number,
): Promise<void> {
  const log = createLogger('agent', 'error')
  const agent_id = randomUUID()
  const draining = new AbortController()
  const inboxPrefix = agentInbox('bench', agent_id)
  const nats = life.own('NATS', await connect({ ...natsServers(natsAgentUrl), inboxPrefix }), (queue) => queue.close())
  const coordinator = life.own('connection', connectCoordinator(grpc, token), (connection) => connection.close())
  const collector = scriptedCollector({ find: () => Array.from({ length: found }, (_, n) => n) })
  const runner = { log, coordinator, collector, agent_id, timings: TIMINGS, draining: draining.signal }
  life.own('agent', startWorker(runner, createTaskQueue(nats, log), SLOTS), async (worker) => {
    draining.abort()
    await worker.done
  })
}
