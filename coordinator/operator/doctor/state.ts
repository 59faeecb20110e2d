import { reasonOf } from '@placefleet/shared/command-line'
import type { Db } from 'mongodb'
import { type AgentDocument, agentState, createAgentRegistry } from '../../fleet/agents.ts'
import { createIdentities } from '../../fleet/identities.ts'
import { type JobBacklog, jobBacklog } from '../../jobs/reports.ts'
import { deploymentOf } from '../../mongo/connect.ts'
import { databaseFailure } from '../../mongo/failures.ts'
import { databaseTime } from '../../mongo/time.ts'
import { countCoordinators } from '../../process/presence.ts'
import { type TaskBacklog, taskBacklog } from '../../tasks/overview.ts'
import type { QueueState } from '../../tasks/queue-state.ts'
import { type Exit, listExits } from '../exits.ts'
import { type FailedTasks, readFailedTasks } from './failed-tasks.ts'

/** Why a server did not answer. */
export type Unanswered = { down: string }

/** The agents by state. A silent agent is connected, but sends no heartbeat. */
type FleetState = {
  connected: number
  draining: number
  silent: number
  slots: number
  busy: number
  /** The connected agents that cannot start Chromium, and why. */
  withoutChromium: { name: string; message: string }[]
  /** The agents that alone may have proxies, if none of them is connected. */
  absentProxyAgents: string[]
}

export type StoredState = {
  coordinators: number
  /** By how many seconds the clock of this host is ahead of the database's; negative when it is behind. */
  clockLead: number
  fleet: FleetState
  exits: Exit[]
  jobs: JobBacklog
  tasks: TaskBacklog
  failures: FailedTasks
  /** Why the database rejects writes, if it does. */
  writeFailure?: string
}

/** Why the database did not answer. `fullDisk` says what to do about a full disk. */
export type DatabaseDown = Unanswered & { fullDisk?: string }

/** All that the doctor checks. */
export type SystemState = { mongodb: StoredState | DatabaseDown; nats: QueueState | Unanswered }

export type StateSources = {
  database: () => Promise<Db>
  queue: () => Promise<QueueState>
  /** Says that the disk of the database is full. Asked when the database does not answer. */
  fullDisk?: () => Promise<string | undefined>
  /** The enrolled agents that alone may have proxies; undefined if all may. */
  proxyAgents: ReadonlySet<string> | undefined
}

/** Queries MongoDB and NATS. A server that does not answer is a part of the state. */
export async function readState({ database, queue, fullDisk, proxyAgents }: StateSources): Promise<SystemState> {
  const [mongodb, nats] = await Promise.all([
    database()
      .then((db) => storedState(db, proxyAgents))
      .catch(async (error: unknown) => {
        const full = await fullDisk?.()
        return { down: databaseFailure(error), ...(full === undefined ? {} : { fullDisk: full }) }
      }),
    queue().catch((error: unknown) => ({ down: reasonOf(error) })),
  ])
  return { mongodb, nats }
}

async function storedState(db: Db, proxyAgents: StateSources['proxyAgents']): Promise<StoredState> {
  const [clockLead, coordinators, fleet, exits, jobs, tasks, failures, writeFailure] = await Promise.all([
    measureClockLead(db),
    countCoordinators(db),
    fleetState(db, proxyAgents),
    listExits(db),
    jobBacklog(db),
    taskBacklog(db),
    readFailedTasks(db),
    tryWrite(db),
  ])
  const stored = { clockLead, coordinators, fleet, exits, jobs, tasks, failures }
  return { ...stored, ...(writeFailure === undefined ? {} : { writeFailure }) }
}

/** Returns how many seconds our clock is ahead of the database's, less what the round trip may explain. */
async function measureClockLead(db: Db): Promise<number> {
  const before = Date.now()
  const there = (await databaseTime(db)).getTime()
  const ahead = Math.max(0, before - there)
  const behind = Math.max(0, there - Date.now())
  return Math.round((ahead - behind) / 1_000)
}

/** Returns why the database rejects writes. One on a full disk still answers reads. */
async function tryWrite(db: Db): Promise<string | undefined> {
  const probe = deploymentOf<{ _id: 'doctor'; at: Date }>(db)
  try {
    await probe.updateOne({ _id: 'doctor' }, { $set: { at: new Date() } }, { upsert: true })
    return undefined
  } catch (error) {
    return databaseFailure(error)
  }
}

async function fleetState(db: Db, proxyAgents: StateSources['proxyAgents'] = new Set()): Promise<FleetState> {
  const [agents, identities, now] = await Promise.all([
    createAgentRegistry(db).list(),
    createIdentities(db).list(),
    databaseTime(db),
  ])
  const drained = new Set(identities.filter(({ draining }) => draining).map(({ _id }) => _id))
  const stateOf = (agent: AgentDocument) =>
    agentState({ ...agent, draining: agent.draining || (agent.enrolled && drained.has(agent.name)) }, now)
  const inState = (state: string) => agents.filter((agent) => stateOf(agent) === state)
  const connected = inState('connected')
  return {
    connected: connected.length,
    draining: inState('draining').length,
    silent: inState('silent').length,
    slots: connected.reduce((sum, agent) => sum + agent.slots, 0),
    busy: connected.reduce((sum, agent) => sum + agent.busy, 0),
    withoutChromium: connected.flatMap(({ name, chromium_problem }) =>
      chromium_problem ? [{ name, message: chromium_problem.message }] : [],
    ),
    absentProxyAgents: connected.some(({ name, enrolled }) => enrolled && proxyAgents.has(name))
      ? []
      : [...proxyAgents],
  }
}
