import type { RegisterRequest } from '@placefleet/proto/fleet'
import { REGISTER_MS } from '@placefleet/shared/protocol'
import { LRUCache } from 'lru-cache'
import type { Collection, Db } from 'mongodb'
import { z } from 'zod'
import type { Index } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import { ContractViolation } from './call.ts'

/** Why an exit rests: the map site refuses it, shows it only the consent page, or the proxy fails. */
export type RestReason = 'blocked' | 'consent' | 'failed'

/** An agent process, as it last described itself. */
export type AgentDocument = {
  /** As in its leases, see `processId`. */
  _id: string
  /** The enrolled name. An agent with the shared AGENT_TOKEN chooses its own. */
  name: string
  enrolled: boolean
  version: string
  protocol: number
  host: string
  slots: number
  busy: number
  draining: boolean
  /** The agent's resting exits. Absent in entries of older agents. */
  resting?: { reason: RestReason; count: number }[]
  /** Payload paths of the map site with too little data. Absent in entries of older agents. */
  drifted?: string[]
  connected: boolean
  first_seen_at: Date
  last_seen_at: Date
}

const Description = z.object({
  name: z.string().min(1).max(100),
  version: z.string().min(1).max(50),
  protocol: z.int().min(1),
  host: z.string().min(1).max(255),
  slots: z.int().min(0).max(10_000),
  busy: z.int().min(0).max(10_000),
  draining: z.boolean(),
  resting: z.array(z.object({ reason: z.enum(['blocked', 'consent', 'failed']), count: z.int().min(0) })).max(10),
  drifted: z.array(z.string().max(200)).max(100),
})

/** How long the entry of a disconnected agent is kept. */
const REMEMBERED_MS = 7 * 24 * 3600 * 1000

/** How many agents' hosts are cached. A process never changes its host. */
const KNOWN_HOSTS = 10_000

/** An agent that is silent for this long does not count as connected. It reports every `REGISTER_MS`; two reports may be lost. */
export const SILENT_MS = 3 * REGISTER_MS

const THERE = {
  connected: true,
  draining: false,
  $expr: { $gt: ['$last_seen_at', ago(SILENT_MS, 'millisecond')] },
}

/** The agents of the fleet. */
export type AgentRegistry = {
  /**
   * Records the description that a process sent.
   * @param name the name that its token proves; undefined for the shared token.
   * @throws ContractViolation when the description is invalid.
   */
  record(id: string, description: RegisterRequest, name: string | undefined): Promise<void>
  /** Records that the registration of an agent ended. */
  disconnected(id: string): Promise<void>
  list(): Promise<AgentDocument[]>
  /** Returns the host of an agent; undefined when the agent is unknown. */
  hostOf(id: string): Promise<string | undefined>
  /** Returns the hosts of the connected agents that take tasks. */
  hosts(): Promise<string[]>
  /** Returns the ids of the connected agents that take tasks. */
  ids(): Promise<string[]>
  /** Returns how many tasks the connected agents can run at once. */
  slots(): Promise<number>
  /** Deletes agents that disconnected long ago. */
  forgetGone(): Promise<void>
}

/** Creates the registry over a database. */
export function createAgentRegistry(db: Db): AgentRegistry {
  const agents: Collection<AgentDocument> = db.collection('agents')
  const knownHosts = new LRUCache<string, string>({ max: KNOWN_HOSTS })
  const hostOf = async (id: string): Promise<string | undefined> => {
    const known = knownHosts.get(id)
    if (known !== undefined) return known
    const host = (await agents.findOne({ _id: id }, { projection: { host: 1 } }))?.host
    if (host !== undefined) knownHosts.set(id, host)
    return host
  }
  return {
    async record(id, description, name) {
      const said = Description.safeParse(description)
      if (!said.success) throw new ContractViolation(`an invalid agent description: ${said.error.message}`)
      const enrolled = name !== undefined
      const set = { ...said.data, ...(enrolled ? { name } : {}), enrolled, connected: true }
      const merged = { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: set }] } }
      const seen = { first_seen_at: { $ifNull: ['$first_seen_at', '$$NOW'] }, last_seen_at: '$$NOW' }
      await agents.updateOne({ _id: id }, [merged, { $set: seen }], { upsert: true })
    },
    async disconnected(id) {
      await agents.updateOne({ _id: id }, { $set: { connected: false } })
    },
    forgetGone: async () => {
      await agents.deleteMany({ $expr: { $lt: ['$last_seen_at', ago(REMEMBERED_MS, 'millisecond')] } })
    },
    hostOf,
    async hosts() {
      const found = await agents.find(THERE, { projection: { host: 1 } }).toArray() // `distinct` knows no $$NOW
      return [...new Set(found.map(({ host }) => host))]
    },
    async ids() {
      const found = await agents.find(THERE, { projection: { _id: 1 } }).toArray()
      return found.map(({ _id }) => _id)
    },
    async slots() {
      const found = await agents.find(THERE, { projection: { slots: 1 } }).toArray()
      return found.reduce((sum, { slots }) => sum + slots, 0)
    },
    list: () => agents.find().sort({ name: 1, first_seen_at: 1 }).toArray(),
  }
}

/** `silent`: the agent is connected, but has not reported for a while. */
export type AgentState = 'connected' | 'draining' | 'silent' | 'gone'

/** Returns the state of an agent at a time. */
export function agentState(
  agent: Pick<AgentDocument, 'connected' | 'draining' | 'last_seen_at'>,
  now: Date,
): AgentState {
  if (!agent.connected) return 'gone'
  if (now.getTime() - agent.last_seen_at.getTime() > SILENT_MS) return 'silent'
  return agent.draining ? 'draining' : 'connected'
}

/** How many tasks the fleet can run at once. It is read every few seconds and not for every task. */
export type FleetSize = { slots(): number; refresh(): Promise<void> }

/** Creates the fleet size; it is 0 until the first refresh. */
export function createFleetSize(agents: AgentRegistry): FleetSize {
  let slots = 0
  return {
    slots: () => slots,
    refresh: async () => {
      slots = await agents.slots()
    },
  }
}

/** The work of an agent: stored places, ended places and pages, and those that the map site refused. */
export type Done = { stored: number; ended: number; blocked: number }

type MinuteDocument = Done & { _id: string; agent_id: string; minute: Date }

const MINUTE_MS = 60_000

/** How long the minutes are kept. */
const KEPT_MS = 3600_000

/** The speed of an agent is an average over these minutes. */
const RECENT_MINUTES = 5

/** The index that finds and expires minutes. */
export const activityIndexes: readonly Index[] = [
  { collection: 'agent_minutes', name: 'minute', key: { minute: 1 }, expireAfterSeconds: KEPT_MS / 1000 },
]

/** The recent speed of an agent. */
export type AgentSpeed = {
  places_per_minute: number
  /** The share of places and pages that the map site refused; absent when there were none. */
  block_rate?: number
}

/**
 * Counts the work of agents for operators. Counts in memory and writes every few seconds; a crash loses the last
 * counts.
 */
export type AgentActivity = {
  count(agent_id: string, done: Done): void
  /** Writes the counts since the last flush, and deletes old ones. */
  flush(): Promise<void>
  /** Returns the speeds of the last minutes by agent id. */
  speeds(now?: Date): Promise<Map<string, AgentSpeed>>
}

/** Creates the activity counters of agents over a database. */
export function createAgentActivity(db: Db): AgentActivity {
  const minutes: Collection<MinuteDocument> = db.collection('agent_minutes')
  let counted = new Map<string, Done>()
  return {
    count(agent_id, done) {
      counted.set(agent_id, plus(counted.get(agent_id), done))
    },
    async flush() {
      const [writing, minute] = [counted, new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS)]
      counted = new Map()
      if (writing.size > 0) {
        await minutes.bulkWrite([...writing].map(([agent_id, done]) => adding(agent_id, minute, done)))
      }
      await minutes.deleteMany({ minute: { $lt: new Date(Date.now() - KEPT_MS) } })
    },
    speeds: async (now = new Date()) => {
      const since = new Date(now.getTime() - RECENT_MINUTES * MINUTE_MS)
      const found = await minutes.find({ minute: { $gte: since } }).toArray()
      const sums = new Map<string, Done>()
      for (const { agent_id, ...done } of found) sums.set(agent_id, plus(sums.get(agent_id), done))
      return new Map([...sums].map(([agent_id, done]) => [agent_id, speedOf(done)]))
    },
  }
}

const plus = (one: Done | undefined, other: Done): Done => ({
  stored: (one?.stored ?? 0) + other.stored,
  ended: (one?.ended ?? 0) + other.ended,
  blocked: (one?.blocked ?? 0) + other.blocked,
})

const adding = (agent_id: string, minute: Date, done: Done) => ({
  updateOne: {
    filter: { _id: `${agent_id}@${minute.getTime()}` },
    update: { $inc: { ...done }, $setOnInsert: { agent_id, minute } },
    upsert: true,
  },
})

const speedOf = ({ stored, ended, blocked }: Done): AgentSpeed => ({
  places_per_minute: Math.round((stored / RECENT_MINUTES) * 10) / 10,
  ...(ended === 0 ? {} : { block_rate: Math.round((blocked / ended) * 1000) / 1000 }),
})
