import { reasonOf } from '@placefleet/shared/command-line'
import type { Environment } from '@placefleet/shared/config'
import { natsServers, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import type { Db } from 'mongodb'
import { connect, type JetStreamManager, NatsError } from 'nats'
import { agentState, createAgentRegistry } from '../../fleet/agents.ts'
import { jobsOf } from '../../jobs/documents.ts'
import { type JobBacklog, jobBacklog } from '../../jobs/reports.ts'
import { tasksOf } from '../../tasks/documents.ts'
import { type TaskBacklog, taskBacklog } from '../../tasks/overview.ts'
import { addressOf } from '../addresses.ts'
import type { OpsContext } from '../context.ts'

/** Why a server did not answer. */
export type Unanswered = { down: string }

/** The queue: messages not yet taken, and agent slots that wait for one. */
export type QueueFacts = { messages: number; listening: number }

/** The agents by state. Silent agents did not leave, but sent no sign of life. */
export type FleetFacts = { connected: number; draining: number; silent: number; slots: number; busy: number }

export type StoredFacts = { fleet: FleetFacts; jobs: JobBacklog; tasks: TaskBacklog }

/** Everything the doctor checks. */
export type Facts = { mongodb: StoredFacts | Unanswered; nats: QueueFacts | Unanswered }

const NATS_WITHIN_MS = 3_000

/** Queries MongoDB and NATS. A server that does not answer is a fact as well. */
export async function gatherFacts({ env, database }: OpsContext): Promise<Facts> {
  const [mongodb, nats] = await Promise.all([
    database().then(storedFacts).catch(unanswered),
    queueFacts(env).catch(unanswered),
  ])
  return { mongodb, nats }
}

const unanswered = (error: unknown): Unanswered => ({ down: reasonOf(error) })

async function storedFacts(db: Db): Promise<StoredFacts> {
  const [fleet, jobs, tasks] = await Promise.all([fleetFacts(db), jobBacklog(jobsOf(db)), taskBacklog(tasksOf(db))])
  return { fleet, jobs, tasks }
}

async function fleetFacts(db: Db): Promise<FleetFacts> {
  const now = new Date()
  const agents = await createAgentRegistry(db).list()
  const inState = (state: string) => agents.filter((agent) => agentState(agent, now) === state)
  const connected = inState('connected')
  return {
    connected: connected.length,
    draining: inState('draining').length,
    silent: inState('silent').length,
    slots: connected.reduce((sum, agent) => sum + agent.slots, 0),
    busy: connected.reduce((sum, agent) => sum + agent.busy, 0),
  }
}

async function queueFacts(env: Environment): Promise<QueueFacts> {
  const { url, from } = addressOf('NATS_URL', env)
  const options = { ...natsServers(url), name: 'ops', timeout: NATS_WITHIN_MS, reconnect: false }
  const connection = await connect(options).catch((cause) => {
    throw new Error(`NATS does not answer at the address in ${from}: ${unanswered(cause).down}`, { cause })
  })
  try {
    return await read(await connection.jetstreamManager({ timeout: NATS_WITHIN_MS }))
  } finally {
    await connection.close()
  }
}

async function read(manager: JetStreamManager): Promise<QueueFacts> {
  const stream = await manager.streams.info(TASK_STREAM).catch(unlessMissing)
  const consumer = await manager.consumers.info(TASK_STREAM, TASK_CONSUMER).catch(unlessMissing)
  return { messages: stream?.state.messages ?? 0, listening: consumer?.num_waiting ?? 0 }
}

// The first coordinator creates stream and consumer with the first task.
function unlessMissing(error: unknown): undefined {
  if (error instanceof NatsError && error.api_error?.code === 404) return undefined
  throw error
}
