// Many agents in one process: real workers, streams and heartbeats before a scripted town instead of a map site.
// node test/chaos/agents/host.ts <settings as JSON>; prints a line when all are registered.
import { setTimeout as sleep } from 'node:timers/promises'
import { credentials, Metadata } from '@grpc/grpc-js'
import type { Coordinator } from '@placefleet/agent/fleet/coordinator'
import { keepRegistered } from '@placefleet/agent/fleet/registration'
import { TIMINGS } from '@placefleet/agent/timings'
import { FleetServiceClient } from '@placefleet/proto/fleet'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { KEEPALIVE, MAX_MESSAGE_BYTES, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { z } from 'zod'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'

const Settings = z.object({
  agents: z.number(),
  natsUrl: z.string(),
  /** Addresses of coordinators; agents are spread over them. */
  grpc: z.array(z.string()),
  token: z.string(),
  /** Milliseconds that a place takes to collect. */
  pace_ms: z.number(),
  /** Places that a search finds. */
  found: z.number(),
})

/** Agents that begin in one go: a fleet of a thousand does not start in one millisecond either. */
const BATCH = 25

const settings = Settings.parse(JSON.parse(process.argv[2] ?? '{}'))
const log = createLogger('agents', 'fatal')
const life = createLifecycle(log)

const collector = scriptedCollector({
  find: (keyword) => {
    const first = Number(keyword.split(' ')[1] ?? 0) * settings.found
    return Array.from({ length: settings.found }, (_, index) => first + index)
  },
  async before(_, __, signal) {
    await sleep(settings.pace_ms * (0.5 + Math.random()), undefined, { signal })
  },
})

for (let n = 0; n < settings.agents; n += BATCH) {
  const batch = Array.from({ length: Math.min(BATCH, settings.agents - n) }, (_, index) => startAgent(n + index))
  await Promise.all(batch)
}
console.log('ready')

/** Starts an agent with one slot and connections of its own. */
async function startAgent(n: number): Promise<void> {
  const coordinator = connectApart(settings.grpc[n % settings.grpc.length] ?? '')
  const world = { natsAgentUrl: settings.natsUrl, log, life }
  const { agent_id, busy } = await addAgent(world, coordinator.address, collector, 1, TIMINGS, coordinator)
  const about = { agent_id, name: `agent-${n}`, version: '0', protocol: PROTOCOL, host: 'simulated', slots: 1 }
  const describe = () => ({ ...about, busy: busy(), draining: false, resting: [], drifted: [], unknown_answers: [] })
  const registered = Promise.withResolvers<void>()
  const onTakeTasks = () => registered.resolve()
  void keepRegistered({ coordinator, log, timings: TIMINGS, describe, onTakeTasks }, new AbortController().signal)
  await registered.promise
}

/** As the agent's own connection, but never shared with another agent of this process. */
function connectApart(address: string): Coordinator {
  const client = new FleetServiceClient(address, credentials.createInsecure(), {
    ...KEEPALIVE,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 2_000,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  })
  const metadata = new Metadata({ waitForReady: true })
  metadata.set('authorization', `Bearer ${settings.token}`)
  metadata.set(PROTOCOL_METADATA, String(PROTOCOL))
  return {
    address,
    register: () => client.register(metadata),
    openTaskStream: () => client.runTask(metadata),
    takeTurns: () => client.takeTurns(metadata),
    close: () => client.close(),
  }
}
