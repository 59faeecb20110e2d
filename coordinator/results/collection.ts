import type { Collection, Db } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import type { Index } from '../mongo/indexes.ts'
import type { ResultDocument } from './documents.ts'

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
