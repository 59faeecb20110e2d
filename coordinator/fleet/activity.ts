import type { Collection, Db } from 'mongodb'
import type { Index } from '../mongo/indexes.ts'

/**
 * The work of an agent: stored places, ended places and pages, those of them that the map site refused, and tasks that it
 * refused for a time.
 */
export type Done = { stored: number; ended: number; blocked: number; refused: number }

type MinuteDocument = Done & { _id: string; agent_id: string; minute: Date }

/** An hour of all agents. */
type HourDocument = Done & { _id: string; hour: Date }

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** How long the minutes and the hours are kept. */
const MINUTES_KEPT_SECONDS = 3_600
const HOURS_KEPT_SECONDS = 7 * 24 * 3_600

/** The speed of an agent is an average over these minutes. */
const RECENT_MINUTES = 5

/** The indexes that find and expire minutes and hours. */
export const activityIndexes: readonly Index[] = [
  { collection: 'agent_minutes', name: 'minute', key: { minute: 1 }, expireAfterSeconds: MINUTES_KEPT_SECONDS },
  { collection: 'fleet_hours', name: 'hour', key: { hour: 1 }, expireAfterSeconds: HOURS_KEPT_SECONDS },
]

/** The work in a minute or an hour that begins at this time. */
export type WorkAt = Done & { at: Date }

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
  /** Returns the work of an agent in the minutes of the last hour, and of the fleet in the hours of the last week. */
  minutesOf(agent_id: string): Promise<WorkAt[]>
  hours(): Promise<WorkAt[]>
}

/** Creates the activity counters of agents over a database. */
export function createAgentActivity(db: Db): AgentActivity {
  const minutes: Collection<MinuteDocument> = db.collection('agent_minutes')
  const hours: Collection<HourDocument> = db.collection('fleet_hours')
  let counted = new Map<string, Done>()
  return {
    count(agent_id, done) {
      counted.set(agent_id, plus(counted.get(agent_id) ?? NOTHING, done))
    },
    async flush() {
      const [writing, minute, hour] = [counted, startOf(MINUTE_MS), startOf(HOUR_MS)]
      counted = new Map()
      if (writing.size === 0) return
      await minutes.bulkWrite([...writing].map(([agent_id, done]) => adding(agent_id, minute, done)))
      const all = [...writing.values()].reduce<Done>(plus, NOTHING)
      await hours.updateOne({ _id: hour.toISOString() }, { $inc: all, $setOnInsert: { hour } }, { upsert: true })
    },
    speeds: async (now = new Date()) => {
      const since = new Date(now.getTime() - RECENT_MINUTES * MINUTE_MS)
      const found = await minutes.find({ minute: { $gte: since } }).toArray()
      const sums = new Map<string, Done>()
      for (const { agent_id, ...done } of found) sums.set(agent_id, plus(sums.get(agent_id) ?? NOTHING, done))
      return new Map([...sums].map(([agent_id, done]) => [agent_id, speedOf(done)]))
    },
    async minutesOf(agent_id) {
      const since = new Date(Date.now() - MINUTES_KEPT_SECONDS * 1_000)
      const found = minutes.find({ minute: { $gte: since }, agent_id }).sort({ minute: 1 })
      return (await found.toArray()).map(({ minute: at, ...done }) => ({ at, ...plus(NOTHING, done) }))
    },
    async hours() {
      const since = new Date(Date.now() - HOURS_KEPT_SECONDS * 1_000)
      const found = hours.find({ hour: { $gte: since } }).sort({ hour: 1 })
      return (await found.toArray()).map(({ hour: at, ...done }) => ({ at, ...plus(NOTHING, done) }))
    },
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
