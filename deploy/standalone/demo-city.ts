import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createCollector } from '@placefleet/agent/collect/collector'
import { type AgentConfig, exitLimits } from '@placefleet/agent/config'
import { connectCoordinator, coordinatorCredentials } from '@placefleet/agent/fleet/coordinator'
import type { TaskQueue } from '@placefleet/agent/fleet/task-queue'
import { startWorker } from '@placefleet/agent/fleet/worker'
import { DEMO_SECONDS, type DemoCity } from '@placefleet/coordinator/jobs/demo'
import { createLookup } from '@placefleet/shared/egress/lookup'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { startOutsideWorldProcess } from '../simulation/outside-world-process.ts'

const PLACES = 480

/** As slow as a real map site, so that somebody can watch the job. */
const MODES = ['latencyMs={"min":500,"max":1500}']

/**
 * The simulated city of demo jobs, with an agent of its own. It is opened for the first demo job and closed when no demo
 * job can run any more. The agent's tasks come from the coordinator of this process instead of the queue, so other agents
 * never see them, and this one never sees theirs.
 * @param agentConfig the settings of this machine's agent, known once the coordinator listens.
 */
export function createDemoCity(agentConfig: () => AgentConfig, log: Logger): DemoCity & { close(): Promise<void> } {
  const offers = new EventEmitter()
  const waiting: string[] = []
  const offer = (task_id: string) => {
    waiting.push(task_id)
    offers.emit('offer')
  }
  let open: { life: Lifecycle; closing: NodeJS.Timeout } | undefined
  const close = async () => {
    const closed = open
    open = undefined
    clearTimeout(closed?.closing)
    await closed?.life.close()
  }
  return {
    offer,
    close,
    open() {
      const closing = setTimeout(() => void canFail(log, 'closing the demo city', close()), DEMO_SECONDS * 1_000)
      clearTimeout(open?.closing)
      if (open) return void Object.assign(open, { closing })
      const city = createLifecycle(log)
      open = { life: city, closing }
      void canFail(log, 'opening the demo city', startCity(agentConfig(), queueOf(waiting, offers), log, city))
    },
  }
}

async function startCity(config: AgentConfig, queue: TaskQueue, log: Logger, life: Lifecycle): Promise<void> {
  const world = life.own('city', await startOutsideWorldProcess(PLACES, MODES), (city) => city.stop())
  const { COORDINATOR_TLS_CA: ca, AGENT_TLS_CERT: cert, AGENT_TLS_KEY: key } = config
  const credentials = coordinatorCredentials({ ca, cert, key })
  const channel = connectCoordinator(config.COORDINATOR_GRPC, config.AGENT_TOKEN, credentials)
  const coordinator = life.own('coordinator', channel, (connection) => connection.close())
  const collector = createCollector({
    mapsBaseUrl: world.mapsBaseUrl,
    rung: 'http',
    allowHosts: new Set(),
    websiteRobots: config.WEBSITE_ROBOTS,
    exits: exitLimits({ EXIT_RATE: '0', EXIT_IN_FLIGHT: 1, EXIT_REST_SECONDS: 1 }),
    lookup: createLookup(new Set([new URL(world.mapsBaseUrl).hostname])),
    log,
  })
  life.own('collector', collector, (running) => running.close())
  const stopping = new AbortController()
  const runner = { log, coordinator, collector, agent_id: randomUUID(), draining: stopping.signal }
  const worker = startWorker(runner, queue, 2)
  life.own('worker', worker, async ({ done }) => {
    stopping.abort()
    await done
  })
}

/** The tasks that the coordinator offers, one by one. */
function queueOf(waiting: string[], offers: EventEmitter): TaskQueue {
  return {
    async next(signal) {
      while (!signal.aborted) {
        const task_id = waiting.shift()
        if (task_id) return { task_id, answered: () => undefined, declined: () => void waiting.push(task_id) }
        await once(offers, 'offer', { signal }).catch(() => undefined) // aborted: the loop ends
      }
      return undefined
    },
  }
}
