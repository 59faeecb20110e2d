import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { indexesOf } from '../mongo/indexes.ts'

/** The billed quantities of a job. */
export type ResultTotals = { places: number; reviews: number; images: number }

/** A job's places by website tier. */
export type TierCounts = Record<WebPresence, number>

/**
 * A stored place. The places of a job form a chain (see mongo/locks.ts): `position` counts 1, 2, 3 … and is unique
 * within the job. Only a writer that has read the last place can append the next one, so a job's cap holds with any
 * number of writers.
 */
export type ResultDocument = {
  /** Unique in the deployment. Rises along the chain of each job. */
  _id: number
  user_id: string
  job_id: string
  position: number
  place_key: string
  /** The text with which the user named it. */
  input?: string
  web_presence: WebPresence
  place: Omit<Place, 'place_key'>
  /** Running sums over the chain up to this place. The sums of the last place determine the job's cost. */
  totals: ResultTotals
  /** Running counts over the chain up to this place. */
  tiers: TierCounts
  task_id: string
  attempt: number
  agent_id: string
  created_at: Date
}

/**
 * The end of a job's chain. It takes the next position, so nothing can be appended any more. The places of a deleted
 * job become seals too, so that a late writer finds no free position.
 */
export type SealDocument = { _id: number; job_id: string; position: number; sealed: true; totals?: ResultTotals }

const RESULTS = 'results'

/** Returns the stored places. The collection also holds seals; they have no user, so queries by user skip them. */
export const resultsOf = (db: Db): Collection<ResultDocument> => collection(db, RESULTS)

/** The indexes of results. The unique ones keep a job's places a chain without duplicates. */
export const resultsBy = indexesOf(RESULTS, {
  job_position: { key: { job_id: 1, position: 1 }, unique: true },
  job_place: {
    key: { job_id: 1, place_key: 1 },
    unique: true,
    partialFilterExpression: { place_key: { $exists: true } },
  },
  /** All places of a user. */
  user: { key: { user_id: 1, _id: 1 } },
})

export const resultIndexes = Object.values(resultsBy)
