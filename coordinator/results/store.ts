import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db } from 'mongodb'
import { type PageRequest, skipOf } from '../http/paging.ts'
import type { ResultDocument, ResultTotals } from './documents.ts'
import { resultsOf } from './documents.ts'
import { presentResult } from './present.ts'
import type { Result, WebPresenceCounts } from './schema.ts'

/** Whose and which job's results. Every read takes the user: nobody can name another's. */
export type JobOfUser = { user_id: string; job_id: string }

/** What a page needs of a document: not the running sums, nor who brought it. */
const SHOWN = { user_id: 1, job_id: 1, web_presence: 1, place: 1, created_at: 1 } as const

/** A large place takes tens of kilobytes: a batch of so many stays in the low megabytes. */
const EXPORT_BATCH = 50

/** One page of a job's results of these tiers, in order of storage. */
export async function readJobPage(
  db: Db,
  { user_id, job_id }: JobOfUser,
  { tiers, page, limit }: PageRequest & { tiers: readonly WebPresence[] },
): Promise<Result[]> {
  return shown(resultsOf(db).find(ofTiers({ user_id, job_id }, tiers)).skip(skipOf({ page, limit })).limit(limit))
}

/** How many stored places of a job are of each tier. */
export async function countTiers(db: Db, { user_id, job_id }: JobOfUser): Promise<WebPresenceCounts> {
  const counts: WebPresenceCounts = { none: 0, social: 0, directory: 0, builder: 0, booking: 0, has: 0 }
  const stages = [{ $match: { user_id, job_id } }, { $group: { _id: '$web_presence', count: { $sum: 1 } } }]
  for await (const { _id, count } of resultsOf(db).aggregate<{ _id: WebPresence; count: number }>(stages)) {
    counts[_id] = count
  }
  return counts
}

/** A result with its position in the chain of its job. */
export type PositionedResult = { position: number; result: Result }

/** The results of a job behind a position, in order, at most `limit`. */
export async function readBehind(
  db: Db,
  { user_id, job_id }: JobOfUser,
  position: number,
  limit: number,
): Promise<PositionedResult[]> {
  const found = await resultsOf(db)
    .find({ job_id, position: { $gt: position }, user_id }, { hint: 'job_position' })
    .sort({ position: 1 })
    .limit(limit)
    .project<ResultDocument>({ ...SHOWN, position: 1 })
    .toArray()
  return found.map((document) => ({ position: document.position, result: presentResult(document) }))
}

/** A user's results over all jobs but the hidden ones, in order of storage. */
export async function readAllOfUser(
  db: Db,
  user_id: string,
  { limit, offset, hiddenJobs }: { limit: number; offset: number; hiddenJobs: string[] },
): Promise<Result[]> {
  const filter = { user_id, ...(hiddenJobs.length > 0 ? { job_id: { $nin: hiddenJobs } } : {}) }
  return shown(resultsOf(db).find(filter).skip(offset).limit(limit))
}

/** A job's results of these tiers in order of storage, a few at a time. Ending the iteration early frees what it holds. */
export async function* streamJobResults(
  db: Db,
  { user_id, job_id }: JobOfUser,
  tiers: readonly WebPresence[],
): AsyncGenerator<Result> {
  const cursor = resultsOf(db).find(ofTiers({ user_id, job_id }, tiers)).sort({ _id: 1 }).project<ResultDocument>(SHOWN)
  try {
    for await (const document of cursor.batchSize(EXPORT_BATCH)) yield presentResult(document)
  } finally {
    await cursor.close()
  }
}

/** Whether tiers are all there are, which is no filter. */
export const isAll = (tiers: readonly WebPresence[]): boolean => tiers.length === WEB_PRESENCE_TIERS.length

const ofTiers = (job: JobOfUser, tiers: readonly WebPresence[]) =>
  isAll(tiers) ? job : { ...job, web_presence: { $in: [...tiers] } }

async function shown(cursor: ReturnType<ReturnType<typeof resultsOf>['find']>): Promise<Result[]> {
  return (await cursor.sort({ _id: 1 }).project<ResultDocument>(SHOWN).toArray()).map(presentResult)
}

/** What is stored of a job, counted from the places themselves and not from their running sums. */
export async function recountTotals(db: Db, job_id: string): Promise<ResultTotals> {
  const length = (list: string) => ({ $size: { $ifNull: [`$place.${list}`, []] } })
  const [counted] = await resultsOf(db)
    .aggregate<ResultTotals>([
      { $match: { job_id, place_key: { $exists: true } } },
      {
        $group: {
          _id: null,
          places: { $sum: 1 },
          reviews: { $sum: { $add: [length('user_reviews'), length('user_reviews_extended')] } },
          images: { $sum: length('images') },
        },
      },
      { $project: { _id: 0 } },
    ])
    .toArray()
  return counted ?? { places: 0, reviews: 0, images: 0 }
}
