import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'
/**
 * A stored place. The places of a job form a chain: `position` counts 1, 2, 3 … and is unique within the job, so the
 * next place can only be appended by who has read the last one, and the cap of a job holds whatever the concurrency.
 */
export type ResultDocument = {
  /** Unique in the deployment, rising along every job's chain. */
  _id: number
  user_id: string
  job_id: string
  position: number
  place_key: string
  web_presence: WebPresence
  place: Omit<Place, 'place_key'>
  /** Running sums over the chain up to and including this place: what the job costs follows from its last place. */
  totals: ResultTotals
  task_id: string
  attempt: number
  agent_id: string
  created_at: Date
}

/** What is billed, summed over a job's places. */
export type ResultTotals = { places: number; reviews: number; images: number }

/** The end of a job's chain: it takes the next position, so that nothing can be appended behind it any more. */
export type SealDocument = { _id: number; job_id: string; position: number; sealed: true }

const RESULTS = 'results'

/** The stored places. The ends of chains are in there too; they have no user, and no query by user meets them. */
export const resultsOf = (db: Db): Collection<ResultDocument> => collection(db, RESULTS)

/** What makes a job's places a chain without doubles (see documents.ts), and what they are read by. */
export const resultIndexes: readonly Index[] = [
  { collection: RESULTS, name: 'job_position', key: { job_id: 1, position: 1 }, unique: true },
  {
    collection: RESULTS,
    name: 'job_place',
    key: { job_id: 1, place_key: 1 },
    unique: true,
    partialFilterExpression: { place_key: { $exists: true } },
  },
  { collection: RESULTS, name: 'user_job_tier', key: { user_id: 1, job_id: 1, web_presence: 1, _id: 1 } },
  { collection: RESULTS, name: 'user_job', key: { user_id: 1, job_id: 1, _id: 1 } },
  { collection: RESULTS, name: 'user', key: { user_id: 1, _id: 1 } },
]
