import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf, using } from '../mongo/indexes.ts'

/**
 * The work of an agent: stored places, ended places and pages, those of them that the map site refused, and tasks that it
 * refused for a time.
 */
export type Done = { stored: number; ended: number; blocked: number; refused: number }

/** The work of one agent in a minute, or of `FLEET` in an hour, that begins at this time. */
type WorkDocument = Done & { _id: string; agent_id: string; at: Date; expires_at: Date }

/** All agents together. No agent has this id. */
const FLEET = ''

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How long the minutes of agents and the hours of the fleet are kept. */
const MINUTES_KEPT_MS = HOUR_MS
const HOURS_KEPT_MS = 7 * 24 * HOUR_MS

/** The speed of an agent is an average over these minutes. */
const RECENT_MINUTES = 5

const workBy = indexesOf('agent_work', {
  agent_at: { key: { agent_id: 1, at: 1 } },
  expiry: { key: { expires_at: 1 }, expireAfterSeconds: 0 },
})

export const activityIndexes = Object.values(workBy)

/** The work in a minute or an hour that begins at this time. */
export type WorkAt = Done & { at: Date }

type AgentSpeed = {
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
  /** Returns the work of an agent in the minutes of the last hour, and of the fleet in the hours of the last week. */
  minutesOf(agent_id: string): Promise<WorkAt[]>
  hours(): Promise<WorkAt[]>
}

/** Creates the activity counters of agents over a database. */
export function createAgentActivity(db: Db): AgentActivity {
  const work: Collection<WorkDocument> = collection(db, 'agent_work')
  let counted = new Map<string, Done>()
  const since = async (agent_id: string, ms: number): Promise<WorkAt[]> => {
    const filter = { agent_id, at: { $gte: new Date(Date.now() - ms) } }
    const parts = await work.find(filter, using(workBy.agent_at)).sort({ at: 1 }).toArray()
    return parts.map(({ at, ...done }) => ({ at, ...plus(NOTHING, done) }))
  }
  return {
    count(agent_id, done) {
      counted.set(agent_id, plus(counted.get(agent_id) ?? NOTHING, done))
    },
    async flush() {
      const writing = [...counted]
      counted = new Map()
      if (writing.length === 0) return
      const all = writing.map(([, done]) => done).reduce(plus, NOTHING)
      const [minute, hour] = [startOf(MINUTE_MS), startOf(HOUR_MS)]
      await work.bulkWrite([
        ...writing.map(([agent_id, done]) => adding(agent_id, done, minute, MINUTES_KEPT_MS)),
        adding(FLEET, all, hour, HOURS_KEPT_MS),
      ])
    },
    speeds: async (now = new Date()) => {
      const recent = { agent_id: { $gt: FLEET }, at: { $gte: new Date(now.getTime() - RECENT_MINUTES * MINUTE_MS) } }
      const sums = new Map<string, Done>()
      for await (const { agent_id, ...done } of work.find(recent, using(workBy.agent_at))) {
        sums.set(agent_id, plus(sums.get(agent_id) ?? NOTHING, done))
      }
      return new Map([...sums].map(([agent_id, done]) => [agent_id, speedOf(done)]))
    },
    minutesOf: (agent_id) => since(agent_id, MINUTES_KEPT_MS),
    hours: () => since(FLEET, HOURS_KEPT_MS),
  }
}

const NOTHING: Done = { stored: 0, ended: 0, blocked: 0, refused: 0 }

const startOf = (ms: number): Date => new Date(Math.floor(Date.now() / ms) * ms)

const plus = (one: Done, other: Done): Done => ({
  stored: one.stored + other.stored,
  ended: one.ended + other.ended,
  blocked: one.blocked + other.blocked,
  refused: one.refused + other.refused,
})

const adding = (agent_id: string, done: Done, at: Date, keptMs: number) => ({
  updateOne: {
    filter: { _id: `${agent_id}@${at.getTime()}` },
    update: { $inc: { ...done }, $setOnInsert: { agent_id, at, expires_at: new Date(at.getTime() + keptMs) } },
    upsert: true,
  },
})

const speedOf = ({ stored, ended, blocked }: Done): AgentSpeed => ({
  places_per_minute: Math.round((stored / RECENT_MINUTES) * 10) / 10,
  ...(ended === 0 ? {} : { block_rate: Math.round((blocked / ended) * 1000) / 1000 }),
})
