import type { Collection, Db } from 'mongodb'
import type { Index } from '../mongo/indexes.ts'

/** The work of an agent: stored places, ended places and pages, and those that the map site refused. */
export type Done = { stored: number; ended: number; blocked: number }

type MinuteDocument = Done & { _id: string; agent_id: string; minute: Date }

const MINUTE_MS = 60_000

/** How long the minutes are kept. */
const KEPT_SECONDS = 3_600

/** The speed of an agent is an average over these minutes. */
const RECENT_MINUTES = 5

/** The index that finds and expires minutes. */
export const activityIndexes: readonly Index[] = [
  { collection: 'agent_minutes', name: 'minute', key: { minute: 1 }, expireAfterSeconds: KEPT_SECONDS },
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
  /** Writes the counts since the last flush. */
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
