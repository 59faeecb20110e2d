import type { RegisterRequest } from '@placefleet/proto/fleet'
import { ReportedChromiumProblem } from '@placefleet/shared/chromium-problem'
import { REST_REASONS } from '@placefleet/shared/exits/rules'
import { MAX_DRIFTED, MAX_DRIFTED_TEXT, REGISTER_MS } from '@placefleet/shared/protocol'
import type { Collection, Db, Document } from 'mongodb'
import { z } from 'zod'
import { batchedTogether } from '../mongo/batched.ts'
import { UNJOURNALED } from '../mongo/connect.ts'
import { type Index, indexesOf, using } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import type { TaskAgent } from '../tasks/documents.ts'
import type { AgentExit } from './agent-exit.ts'
import { ContractViolation } from './call.ts'

const Description = z.object({
  /** The enrolled name. An agent with the shared AGENT_TOKEN chooses its own. */
  name: z.string().min(1).max(100),
  version: z.string().min(1).max(50),
  protocol: z.int().min(1),
  host: z.string().min(1).max(255),
  slots: z.int().min(0).max(10_000),
  busy: z.int().min(0).max(10_000),
  draining: z.boolean(),
  /** Its resting exits. */
  resting: z.array(z.object({ reason: z.enum(REST_REASONS), count: z.int().min(0) })).max(10),
  /** Payload paths of the map site with too little data. */
  drifted: z.array(z.string().max(MAX_DRIFTED_TEXT)).max(MAX_DRIFTED),
  /** Why it cannot start Chromium. Absent while it can, or never needs it. */
  chromium_problem: ReportedChromiumProblem.optional(),
})

/** An agent process, as it last described itself. */
export type AgentDocument = z.infer<typeof Description> & {
  /** As in its leases, see `processId`. */
  _id: string
  enrolled: boolean
  /** Its own exit, without a proxy. */
  exit: AgentExit
  /** Tasks that it handed back. */
  handed_back?: number
  connected: boolean
  /** The registration that reports `connected`: an agent may register elsewhere before its old stream ends. */
  registration: string
  first_seen_at: Date
  last_seen_at: Date
}

/** What an agent says of itself. */
type Described = Omit<RegisterRequest, 'unknown_answers' | 'checked_paths'>

/** How long the entry of a disconnected agent is kept. */
const REMEMBERED_SECONDS = 7 * 24 * 3600

const agentsBy = indexesOf('agents', {
  expiry: { key: { last_seen_at: 1 }, expireAfterSeconds: REMEMBERED_SECONDS },
  /** The processes of a name, and all those with the shared token, by age. */
  name_seen: { key: { enrolled: 1, name: 1, last_seen_at: 1 } },
  enrolled_seen: { key: { enrolled: 1, last_seen_at: 1 } },
})

export const agentIndexes = Object.values(agentsBy)

/** The most processes of one name, and of all names with the shared token, whose agents choose their names. */
export const MOST_OF_NAME = 200
export const MOST_SHARED = 1_000

const MOST_LISTED = 1_000

/**
 * An agent that is silent for this long does not count as connected. It reports every `REGISTER_MS`; two reports may be
 * lost.
 */
const SILENT_MS = 3 * REGISTER_MS

const THERE = {
  connected: true,
  draining: false,
  $expr: { $gt: ['$last_seen_at', ago(SILENT_MS, 'millisecond')] },
}

/** A connected process, and its own exit. */
type ConnectedAgent = Pick<AgentDocument, 'name' | 'exit'>

/** What a call says of its agent. `name`: what its token proves; undefined for the shared token. */
export type KnownAgent = { name: string | undefined; exit: AgentExit }

type TakingAgent = Pick<AgentDocument, '_id' | 'exit' | 'slots' | 'name' | 'enrolled'>

export type AgentRegistry = {
  /**
   * Records the description that a process sent. Its first one names the registration that holds its entry from now on.
   * @throws ContractViolation when the description is invalid.
   */
  record(id: string, description: Described, known: KnownAgent, registration?: string): Promise<void>
  /** Records that a registration of an agent ended, unless the agent has registered again since. */
  disconnected(id: string, registration: string): Promise<void>
  /** Counts a task that an agent handed back. */
  handedBack(id: string): Promise<void>
  /**
   * Makes room for a process that registers: the entry that was seen longest ago goes, of those that are not connected.
   * @throws ContractViolation when there is no room.
   */
  makeRoom(id: string, name: string, enrolled: boolean): Promise<void>
  /** Returns the processes that were seen last, by name. */
  list(): Promise<AgentDocument[]>
  /** Returns where the connected processes that were seen last are. */
  connected(): Promise<ConnectedAgent[]>
  /** Returns the names of agents by their ids. A process that is forgotten and was not enrolled has none. */
  namesOf(ids: readonly string[]): Promise<Map<string, string>>
  /** Returns the ids of the own exits of the connected agents that take tasks. */
  exits(): Promise<string[]>
  /** Returns the ids of the connected agents that take tasks. */
  ids(): Promise<string[]>
  /** Returns the connected agents that take tasks. */
  taking(): Promise<TakingAgent[]>
}

export function createAgentRegistry(db: Db): AgentRegistry {
  const agents: Collection<AgentDocument> = db.collection('agents')
  const record = batchedTogether<{ id: string; update: Document[] }, void>(async (calls) => {
    const updates = calls.map(({ id, update }) => ({ updateOne: { filter: { _id: id }, update, upsert: true } }))
    // Unjournaled: the next description replaces one that is lost.
    await agents.bulkWrite(updates, { ordered: false, writeConcern: UNJOURNALED })
    return () => undefined
  })
  return {
    async record(id, description, known, registration) {
      const held = registration === undefined ? [] : [{ $set: { registration: { $literal: registration } } }]
      await record({ id, update: [...updateWith(description, known), ...held] })
    },
    async disconnected(id, registration) {
      await agents.updateOne({ _id: id, registration }, { $set: { connected: false } })
    },
    async handedBack(id) {
      await agents.updateOne({ _id: id }, { $inc: { handed_back: 1 } }, { writeConcern: UNJOURNALED })
    },
    async namesOf(ids) {
      const documents = await agents.find({ _id: { $in: [...ids] } }, { projection: { name: 1 } }).toArray()
      const proven = ids.flatMap((id): [string, string][] =>
        id.includes('/') ? [[id, id.split('/', 1)[0] ?? id]] : [],
      )
      return new Map([...proven, ...documents.map(({ _id, name }): [string, string] => [_id, name])])
    },
    async exits() {
      const documents = await agents.find(THERE, { projection: { exit: 1 } }).toArray() // `distinct` knows no $$NOW
      return [...new Set(documents.map(({ exit }) => exit.id))]
    },
    async ids() {
      const documents = await agents.find(THERE, { projection: { _id: 1 } }).toArray()
      return documents.map(({ _id }) => _id)
    },
    taking: () => agents.find(THERE).project<TakingAgent>({ exit: 1, slots: 1, name: 1, enrolled: 1 }).toArray(),
    async makeRoom(id, name, enrolled) {
      if (await agents.findOne({ _id: id }, { projection: { _id: 1 } })) return
      await makeRoomIn(agents, { filter: { enrolled, name }, most: MOST_OF_NAME, index: agentsBy.name_seen })
      if (enrolled) return
      await makeRoomIn(agents, { filter: { enrolled }, most: MOST_SHARED, index: agentsBy.enrolled_seen })
    },
    async list() {
      const newest = await agents
        .find({}, using(agentsBy.expiry))
        .sort({ last_seen_at: -1 })
        .limit(MOST_LISTED)
        .toArray()
      return newest.sort(
        (one, other) => one.name.localeCompare(other.name) || +one.first_seen_at - +other.first_seen_at,
      )
    },
    connected: () =>
      agents
        .find({ connected: true }, using(agentsBy.expiry))
        .project<ConnectedAgent>({ name: 1, exit: 1 })
        .sort({ last_seen_at: -1 })
        .limit(MOST_LISTED)
        .toArray(),
  }
}

type Room = { filter: { enrolled: boolean; name?: string }; most: number; index: Index }

/**
 * Removes the oldest entries that are gone until one more has room. @throws ContractViolation when too many are there.
 */
async function makeRoomIn(agents: Collection<AgentDocument>, { filter, most, index }: Room): Promise<void> {
  const count = await agents.countDocuments(filter, using(index))
  if (count < most) return
  const away = { $or: [{ connected: false }, { $expr: { $lte: ['$last_seen_at', ago(SILENT_MS, 'millisecond')] } }] }
  const oldest = await agents
    .find({ ...filter, ...away }, { projection: { _id: 1 }, ...using(index) })
    .sort({ last_seen_at: 1 })
    .limit(count - most + 1)
    .toArray()
  await agents.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } })
  const left = count - oldest.length
  if (left >= most) throw new ContractViolation(`${left} processes of this agent are connected, which is the maximum`)
}

/** Returns the update of an agent's entry. Throws ContractViolation when the description is invalid. */
function updateWith(description: Described, { name, exit }: KnownAgent): Document[] {
  const parsed = Description.safeParse(description)
  if (!parsed.success) throw new ContractViolation(`an invalid agent description: ${parsed.error.message}`)
  const enrolled = name !== undefined
  const { chromium_problem, ...data } = parsed.data
  const set = { ...data, ...(enrolled ? { name } : {}), enrolled, exit, connected: true }
  const merged = { $replaceWith: { $mergeObjects: ['$$ROOT', { $literal: set }] } }
  const seen = { first_seen_at: { $ifNull: ['$first_seen_at', '$$NOW'] }, last_seen_at: '$$NOW' }
  const problem = { chromium_problem: chromium_problem === undefined ? '$$REMOVE' : { $literal: chromium_problem } }
  return [merged, { $set: { ...seen, ...problem } }]
}

/** `silent`: the agent is connected, but has not reported for a while. */
type AgentState = 'connected' | 'draining' | 'silent' | 'gone'

export function agentState(
  agent: Pick<AgentDocument, 'connected' | 'draining' | 'last_seen_at'>,
  now: Date,
): AgentState {
  if (!agent.connected) return 'gone'
  if (now.getTime() - agent.last_seen_at.getTime() > SILENT_MS) return 'silent'
  return agent.draining ? 'draining' : 'connected'
}

/** The agents that get proxies, by name. Undefined: all. Only an enrolled agent proves its name. */
export type ProxyAgents = ReadonlySet<string> | undefined

/** Whether an agent may have proxies. @param enrolled_name its name, if it is enrolled. */
export const mayHaveProxies = (proxyAgents: ProxyAgents, enrolled_name: string | undefined): boolean =>
  proxyAgents === undefined || (enrolled_name !== undefined && proxyAgents.has(enrolled_name))

/** The connected agents that take tasks. They are read every few seconds and not for every task. */
type TaskAgents = { list(): readonly TaskAgent[]; refresh(): Promise<void> }

/** Creates the list of the connected agents; it is empty until the first refresh. */
export function createTaskAgents(agents: Pick<AgentRegistry, 'taking'>, proxyAgents: ProxyAgents): TaskAgents {
  let listed: readonly TaskAgent[] = []
  return {
    list: () => listed,
    refresh: async () => {
      listed = (await agents.taking()).map(({ _id: id, exit, slots, name, enrolled }) => ({
        id,
        exit: exit.id,
        slots,
        proxies: mayHaveProxies(proxyAgents, enrolled ? name : undefined),
      }))
    },
  }
}
