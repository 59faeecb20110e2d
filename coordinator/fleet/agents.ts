import type { RegisterRequest } from '@placefleet/proto/fleet'
import type { Collection, Db } from 'mongodb'
import { z } from 'zod'

/** An agent process as it last described itself. */
export type AgentDocument = {
  _id: string
  name: string
  version: string
  protocol: number
  host: string
  slots: number
  busy: number
  draining: boolean
  connected: boolean
  first_seen_at: Date
  last_seen_at: Date
}

const Description = z.object({
  agent_id: z.uuid(),
  name: z.string().min(1).max(100),
  version: z.string().min(1).max(50),
  protocol: z.int().min(1),
  host: z.string().min(1).max(255),
  slots: z.int().min(0).max(10_000),
  busy: z.int().min(0).max(10_000),
  draining: z.boolean(),
})

/** How long an agent that is gone is remembered. */
const REMEMBERED_MS = 7 * 24 * 3600 * 1000

/** Who is in the fleet, for people to look at: nothing depends on it. */
export type AgentRegistry = {
  /**
   * Records what an agent says of itself.
   * @throws z.ZodError when that is none of the contract's.
   */
  record(description: RegisterRequest): Promise<void>
  /** Records that an agent's registration ended. */
  disconnected(agent_id: string): Promise<void>
  list(): Promise<AgentDocument[]>
  /** Forgets agents that are gone for long. */
  forgetGone(): Promise<void>
}

/** The registry of a database. */
export function createAgentRegistry(db: Db): AgentRegistry {
  const agents: Collection<AgentDocument> = db.collection('agents')
  return {
    async record(description) {
      const { agent_id, ...said } = Description.parse(description)
      const now = new Date()
      const set = { ...said, connected: true, last_seen_at: now }
      await agents.updateOne({ _id: agent_id }, { $set: set, $setOnInsert: { first_seen_at: now } }, { upsert: true })
    },
    async disconnected(agent_id) {
      await agents.updateOne({ _id: agent_id }, { $set: { connected: false } })
    },
    forgetGone: async () => {
      await agents.deleteMany({ last_seen_at: { $lt: new Date(Date.now() - REMEMBERED_MS) } })
    },
    list: () => agents.find().sort({ name: 1, first_seen_at: 1 }).toArray(),
  }
}
