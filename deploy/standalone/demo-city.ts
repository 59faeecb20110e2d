import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { type AgentConfig, exitLimits } from '@placefleet/agent/config'
import type { TaskQueue } from '@placefleet/agent/fleet/task-queue'
import type { DemoCity } from '@placefleet/coordinator/context'
import { createLookup } from '@placefleet/shared/egress/lookup'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { canFail, type Logger } from '@placefleet/shared/log'
import { startOutsideWorldProcess } from '../simulation/outside-world-process.ts'

const PLACES = 480

/** Tasks that run at one time. */
const SLOTS = 2

type DemoCityOptions = {
  /** The delay of the map site's answers. The default is that of the real site, so that users can watch the job. */
  latencyMs?: { min: number; max: number }
  /** How long the city waits for a further task before it closes. */
  idleMs?: number
}

/**
 * Creates the simulated city of demo jobs, with its own agent. It opens when a task is offered and closes when
 * all tasks are done. The agent gets its tasks from the coordinator of this process instead of the queue. So it never
 * shares tasks with other agents.
 * @param agentConfig the settings of this machine's agent, known once the coordinator listens.
 */
export function createDemoCity(
  agentConfig: () => AgentConfig,
  log: Logger,
  { latencyMs = { min: 500, max: 1_500 }, idleMs = 10_000 }: DemoCityOptions = {},
): DemoCity & { close(): Promise<void> } {
  let city: { life: Lifecycle; opening: Promise<void> } | undefined
  let stopped = false
  const close = async () => {
    const closed = city
    city = undefined
    await Promise.allSettled([closed?.opening])
    await closed?.life.close()
  }
  const tasks = createOffers(idleMs, () => void canFail(log, 'closing the demo city', close()))
  const open = async () => {
    const life = createLifecycle(log)
    city = { life, opening: startCity(agentConfig, latencyMs, tasks.queue, log, life) }
    try {
      await city.opening
    } catch (error) {
      await close() // the next task that is offered opens it again
      throw error
    }
  }
  return {
    offer(task_id) {
      tasks.offer(task_id)
      if (!city && !stopped) void canFail(log, 'opening the demo city', open())
    },
    close() {
      stopped = true
      return close()
    },
  }
}

async function startCity(
  agentConfig: () => AgentConfig,
  latencyMs: object,
  queue: TaskQueue,
  log: Logger,
  life: Lifecycle,
): Promise<void> {
  // Loaded for the first demo job: an agent takes 20 MB.
  const { createCollector } = await import('@placefleet/agent/collect/collector')
  const { connectCoordinator, coordinatorCredentials } = await import('@placefleet/agent/fleet/coordinator')
  const { startWorker } = await import('@placefleet/agent/fleet/worker')
  const { TIMINGS } = await import('@placefleet/agent/timings')
  const modes = [`latencyMs=${JSON.stringify(latencyMs)}`]
  const world = life.own('city', await startOutsideWorldProcess(PLACES, modes), (city) => city.stop())
  const config = agentConfig()
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
  const runner = { log, coordinator, collector, agent_id: randomUUID(), timings: TIMINGS, draining: stopping.signal }
  const worker = startWorker(runner, queue, SLOTS)
  life.own('worker', worker, async ({ done }) => {
    stopping.abort()
    await done
  })
}

/**
 * Creates the list of offered tasks, which are taken one by one. `onIdle` is called when every slot has waited `idleMs`
 * for one.
 */
function createOffers(idleMs: number, onIdle: () => void): { offer(task_id: string): void; queue: TaskQueue } {
  const waiting: string[] = []
  const offers = new EventEmitter()
  let idleSlots = 0
  const offered = async (signal: AbortSignal) => {
    idleSlots += 1
    const closing = idleSlots === SLOTS ? setTimeout(onIdle, idleMs) : undefined
    await once(offers, 'offer', { signal }).catch(() => undefined) // aborted: the loop ends
    clearTimeout(closing)
    idleSlots -= 1
  }
  const queue: TaskQueue = {
    async next(signal) {
      while (!signal.aborted) {
        const task_id = waiting.shift()
        if (task_id) return { task_id, answered: () => undefined, declined: () => void waiting.push(task_id) }
        await offered(signal)
      }
      return undefined
    },
  }
  const offer = (task_id: string) => {
    waiting.push(task_id)
    offers.emit('offer')
  }
  return { offer, queue }
}
