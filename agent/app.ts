import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createLookup } from '@placefleet/shared/egress/lookup'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { type Health, serveMetrics } from '@placefleet/shared/metrics-server'
import { agentInbox } from '@placefleet/shared/nats'
import { PROTOCOL } from '@placefleet/shared/protocol'
import { monotonicNow } from '@placefleet/shared/timing'
import { startTracing } from '@placefleet/shared/tracing'
import { watchChromium } from './chromium-state.ts'
import { createCollector } from './collect/collector.ts'
import { type AgentConfig, exitLimits } from './config.ts'
import { connectCoordinator, coordinatorCredentials } from './fleet/coordinator.ts'
import { createExitKeepers } from './fleet/exit-keepers.ts'
import { keepRegistered } from './fleet/registration.ts'
import { connectQueue, createTaskQueue } from './fleet/task-queue.ts'
import { createPause, type Pause, startWorker } from './fleet/worker.ts'
import { createUnknownAnswers } from './maps/answers/unknown.ts'
import { createAgentMetrics } from './metrics.ts'
import manifest from './package.json' with { type: 'json' }
import { createPathChecks } from './path-checks.ts'
import { TIMINGS, type Timings } from './timings.ts'

/** A running agent. `drain` resolves once its tasks are finished or handed back. */
export type Agent = { agent_id: string; drain(): Promise<void> }

/** Starts an agent. The lifecycle owns what it opens. Waits until the queue and the coordinator answer. */
export async function startAgent(
  config: AgentConfig,
  log: Logger,
  life: Lifecycle,
  timings: Timings = TIMINGS,
): Promise<Agent> {
  const agent_id = randomUUID()
  const service = { name: 'placefleet-agent', version: manifest.version }
  const traces = await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, service)
  life.own('traces', traces, (started) => started.close())
  const draining = new AbortController()
  const pause = createPause()
  pause.set(true) // until a coordinator has accepted the agent
  const tls = { ca: config.COORDINATOR_TLS_CA, cert: config.AGENT_TLS_CERT, key: config.AGENT_TLS_KEY }
  const channel = coordinatorCredentials(tls) // checks the certificates before it opens connections
  const queue = {
    url: config.NATS_URL,
    ca: config.NATS_TLS_CA,
    name: `agent ${config.AGENT_NAME}`,
    inboxPrefix: agentInbox(config.AGENT_NAME, agent_id),
  }
  const nats = life.own('NATS', await connectQueue(queue, log, timings), (connection) => connection.close())
  const coordinator = life.own(
    'coordinator',
    connectCoordinator(config.COORDINATOR_GRPC, config.AGENT_TOKEN, channel, { exitName: config.EXIT_NAME }),
    (connected) => connected.close(),
  )
  const changes = new EventTarget()
  const onChange = () => changes.dispatchEvent(new Event('change'))
  const chromium = await watchChromium(config, { log, life, onChange })
  const metrics = createAgentMetrics({
    slots: config.AGENT_CONCURRENCY,
    busy: () => worker.busy(),
    resting: () => collector.resting(),
  })
  const unknown = createUnknownAnswers(monotonicNow)
  const limits = exitLimits(config)
  const exits = life.own('exits', createExitKeepers({ coordinator, agent_id, limits }), (keepers) => keepers.close())
  if (config.CHROMIUM_SANDBOX === 'off') log.warn('Chromium runs without its sandbox (CHROMIUM_SANDBOX=off)')
  const opened = createCollector({
    mapsBaseUrl: config.MAPS_BASE_URL,
    rung: config.COLLECT_RUNG,
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    websiteRobots: config.WEBSITE_ROBOTS,
    crawlLimits: timings.crawl,
    exits: limits,
    keeperFor: exits.keeperFor,
    sandbox: config.CHROMIUM_SANDBOX === 'on',
    lookup: createLookup(new Set([...config.EGRESS_ALLOW_HOSTS, new URL(config.MAPS_BASE_URL).hostname])),
    log,
    onDrift: metrics.drifted,
    onVerdict: metrics.answered,
    onUnknown: unknown.record,
    onChromium: chromium.record,
  })
  const collector = life.own('collector', opened, (opened) => opened.close())
  const runner = { log, coordinator, collector, agent_id, timings, draining: draining.signal }
  const worker = startWorker(runner, createTaskQueue(nats, log), config.AGENT_CONCURRENCY, pause)
  if (config.METRICS_PORT !== undefined) {
    const address = { host: config.HOST, port: config.METRICS_PORT }
    const serving = await serveMetrics(metrics.registry, address, () => healthOf(pause))
    life.own('metrics', serving, (server) => server.close())
  }
  const { signal } = life.own('path checks', new AbortController(), (controller) => controller.abort())
  const checks = createPathChecks({ collector, log, signal, onChecked: onChange })
  const describe = () => ({
    agent_id,
    name: config.AGENT_NAME,
    version: manifest.version,
    protocol: PROTOCOL,
    host: hostname(),
    slots: config.AGENT_CONCURRENCY,
    busy: worker.busy(),
    draining: draining.signal.aborted,
    resting: Object.entries(collector.resting())
      .filter(([, count]) => count > 0)
      .map(([reason, count]) => ({ reason, count })),
    drifted: collector.drifted(),
    chromium_problem: chromium.problem(),
    unknown_answers: unknown.recent(),
    checked_paths: checks.recent(),
  })
  const onTakeTasks = (takeTasks: boolean) => pause.set(!takeTasks)
  const leaving = new AbortController()
  const registered = keepRegistered(
    { coordinator, log, timings, describe, changes, onTakeTasks, onCheck: checks.make },
    leaving.signal,
  )
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

/** Returns the health of the agent: it is healthy while it takes tasks. */
function healthOf(pause: Pause): Health {
  const paused = pause.begins().aborted
  return { ok: !paused, message: paused ? 'paused: drained, or no coordinator accepts this agent (see its log)' : 'ok' }
}
