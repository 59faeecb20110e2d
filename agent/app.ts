import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createLookup } from '@placefleet/shared/egress/lookup'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { type Health, serveMetrics } from '@placefleet/shared/metrics-server'
import { agentInbox } from '@placefleet/shared/nats'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { createCollector } from './collect/collector.ts'
import { type AgentConfig, exitLimits } from './config.ts'
import { connectCoordinator, coordinatorCredentials } from './fleet/coordinator.ts'
import { keepRegistered } from './fleet/registration.ts'
import { connectQueue, createTaskQueue } from './fleet/task-queue.ts'
import { createPause, type Pause, startWorker } from './fleet/worker.ts'
import { createAgentMetrics } from './metrics.ts'
import manifest from './package.json' with { type: 'json' }

/** An agent at work. `drain` resolves once its tasks are finished or handed back. */
export type Agent = { agent_id: string; drain(): Promise<void> }

/** Starts an agent; what it opens is owned by the lifecycle. It waits for a queue or a coordinator that is not there yet. */
export async function startAgent(config: AgentConfig, log: Logger, life: Lifecycle): Promise<Agent> {
  const agent_id = randomUUID()
  const draining = new AbortController()
  const pause = createPause()
  pause.set(true) // until a coordinator has let it in
  const { COORDINATOR_TLS_CA: ca, AGENT_TLS_CERT: cert, AGENT_TLS_KEY: key } = config
  const channel = coordinatorCredentials({ ca, cert, key })
  const nats = life.own(
    'NATS',
    await connectQueue(
      {
        url: config.NATS_URL,
        ca: config.NATS_TLS_CA,
        name: `agent ${config.AGENT_NAME}`,
        inboxPrefix: agentInbox(config.AGENT_NAME, agent_id),
      },
      log,
    ),
    (connection) => connection.close(),
  )
  const coordinator = life.own(
    'coordinator',
    connectCoordinator(config.COORDINATOR_GRPC, config.AGENT_TOKEN, channel),
    (c) => c.close(),
  )
  if (config.CHROMIUM_SANDBOX === 'off') log.warn('Chromium runs without its sandbox (CHROMIUM_SANDBOX=off)')
  const metrics = createAgentMetrics({
    slots: config.AGENT_CONCURRENCY,
    busy: () => worker.busy(),
    resting: () => collector.resting(),
  })
  const collector = life.own(
    'collector',
    createCollector({
      mapsBaseUrl: config.MAPS_BASE_URL,
      rung: config.COLLECT_RUNG,
      allowHosts: config.EGRESS_ALLOW_HOSTS,
      websiteRobots: config.WEBSITE_ROBOTS,
      exits: exitLimits(config),
      sandbox: config.CHROMIUM_SANDBOX === 'on',
      lookup: createLookup(new Set([...config.EGRESS_ALLOW_HOSTS, new URL(config.MAPS_BASE_URL).hostname])),
      log,
      onDrift: (path) => metrics.drifted(path),
    }),
    (c) => c.close(),
  )
  const runner = { log, coordinator, collector, agent_id, draining: draining.signal }
  const worker = startWorker(runner, createTaskQueue(nats, log), config.AGENT_CONCURRENCY, pause)
  const describe = () => ({
    agent_id,
    name: config.AGENT_NAME,
    version: manifest.version,
    protocol: PROTOCOL,
    host: hostname(),
    slots: config.AGENT_CONCURRENCY,
    busy: worker.busy(),
    draining: draining.signal.aborted,
    resting: Object.entries(collector.resting()).flatMap(([reason, count]) => (count > 0 ? [{ reason, count }] : [])),
    drifted: collector.drifted(),
  })
  if (config.METRICS_PORT !== undefined) {
    const address = { host: config.HOST, port: config.METRICS_PORT }
    const serving = await serveMetrics(metrics.registry, address, () => healthOf(pause))
    life.own('metrics', serving, (server) => server.close())
  }
  const leaving = new AbortController()
  const onTakeTasks = (takeTasks: boolean) => pause.set(!takeTasks)
  const registered = keepRegistered({ coordinator, log, describe, onTakeTasks }, leaving.signal)
  life.own('registration', leaving, async (controller) => {
    controller.abort()
    await canFail(log, 'ending the registration', registered)
  })
  return {
    agent_id,
    async drain() {
      draining.abort()
      await worker.done
    },
  }
}

/** An agent is healthy while it takes tasks. */
function healthOf(pause: Pause): Health {
  const paused = pause.begins().aborted
  return { ok: !paused, message: paused ? 'paused: drained, or no coordinator accepts this agent (see its log)' : 'ok' }
}
