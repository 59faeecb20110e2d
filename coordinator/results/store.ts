import { WEB_PRESENCE_TIERS, type WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Db, FindCursor } from 'mongodb'
import { type PageRequest, skipOf } from '../http/params.ts'
import { using } from '../mongo/indexes.ts'
import { type ResultDocument, type ResultTotals, resultsBy, resultsOf, type TierCounts } from './documents.ts'
import { presentResult } from './present.ts'
import type { Result } from './schema.ts'

/** A job and its user. Every read filters by the user, so users cannot read each other's results. */
type JobOfUser = { user_id: string; job_id: string }

/** Documents per batch of an export. A large place takes tens of kilobytes, so a batch takes a few megabytes. */
const EXPORT_BATCH = 50

export const NO_TIERS: TierCounts = { none: 0, social: 0, directory: 0, builder: 0, booking: 0, has: 0 }

/** One page of a job's results, and how many places of each tier the job has stored. */
export type JobPage<Shown> = { results: Shown[]; counts: TierCounts }

// These reads take whole documents: a projection costs the database more than the few fields that it omits.

/**
 * Returns one page of a job's results of these tiers, in order of storage.
 * @param show maps each place. Mapping to JSON keeps one place at a time in memory as an object.
 */
export async function readJobPage<Shown>(
  db: Db,
  job: JobOfUser,
  { tiers, page, limit }: PageRequest & { tiers: readonly WebPresence[] },
  show: (document: ResultDocument) => Shown,
): Promise<JobPage<Shown>> {
  const skip = skipOf({ page, limit })
  if (isAll(tiers)) return readPositions(db, job, { skip, limit }, show)
  const places = resultsOf(db)
    .find(ofTiers(job, tiers), { ...using(resultsBy.job_position), skip, limit })
    .sort({ position: 1 })
  const [results, counts] = await Promise.all([showEach(places, show), tierCounts(db, job.job_id)])
  return { results, counts }
}

/** Positions have no gaps, so they locate a page of all places. */
async function readPositions<Shown>(
  db: Db,
  job: JobOfUser,
  { skip, limit }: { skip: number; limit: number },
  show: (document: ResultDocument) => Shown,
): Promise<JobPage<Shown>> {
  const filter = { ...job, position: { $gt: skip, $lte: skip + limit + 1 } }
  // With its limit, the database sends a page of 100 and the place after it in one batch.
  const places = resultsOf(db)
    .find(filter, { ...using(resultsBy.job_position), limit: limit + 1 })
    .sort({ position: 1 })
  const rows = await showEach(places, (document) => ({ tiers: document.tiers, shown: show(document) }))
  // The place after a page shows that the page is not the last. The last place of the last page has the counts.
  const last = rows.length > limit ? undefined : rows.at(-1)
  const counts = last?.tiers ?? (await tierCounts(db, job.job_id))
  return { results: rows.slice(0, limit).map(({ shown }) => shown), counts }
}

/** Shows each document as soon as it is decoded: collecting the garbage of a whole page takes a fifth more CPU. */
async function showEach<Shown>(
  documents: AsyncIterable<ResultDocument>,
  show: (document: ResultDocument) => Shown,
): Promise<Shown[]> {
  const shown: Shown[] = []
  for await (const document of documents) shown.push(show(document))
  return shown
}

/** Returns how many places of each tier a job has stored, from the running counts of its last place. */
export async function tierCounts(db: Db, job_id: string): Promise<TierCounts> {
  const places = { job_id, sealed: { $exists: false } }
  const order = { sort: { position: -1 }, ...using(resultsBy.job_position), projection: { tiers: 1 } } as const
  return (await resultsOf(db).findOne(places, order))?.tiers ?? NO_TIERS
}

/** A result with its position in the chain of its job. */
export type PositionedResult = { position: number; result: Result }

/** Returns the results of a job after a position, in order, at most `limit`. */
export async function readBehind(
  db: Db,
  { user_id, job_id }: JobOfUser,
  position: number,
  limit: number,
): Promise<PositionedResult[]> {
  const rows = await resultsOf(db)
    .find({ job_id, position: { $gt: position }, user_id }, using(resultsBy.job_position))
    .sort({ position: 1 })
    .limit(limit)
    .toArray()
  return rows.map((document) => ({ position: document.position, result: presentResult(document) }))
}

/** Returns a user's results of all jobs except the hidden ones, in order of storage, as `show` makes them. */
export async function readAllOfUser<Shown>(
  db: Db,
  user_id: string,
  { limit, offset, hiddenJobs }: { limit: number; offset: number; hiddenJobs: string[] },
  show: (document: ResultDocument) => Shown,
): Promise<Shown[]> {
  const filter = { user_id, ...(hiddenJobs.length > 0 ? { job_id: { $nin: hiddenJobs } } : {}) }
  const cursor = resultsOf(db).find(filter, using(resultsBy.user)).sort({ _id: 1 })
  return showEach(cursor.skip(offset).limit(limit), show)
}

/** Returns the position of the last place that a job has stored; 0 without one. */
export async function lastPosition(db: Db, { job_id }: { job_id: string }): Promise<number> {
  const last = { ...using(resultsBy.job_position), sort: { position: -1 }, projection: { position: 1 } } as const
  return (await resultsOf(db).findOne({ job_id, position: { $exists: true } }, last))?.position ?? 0
}

/**
 * Streams a job's results of these tiers in order of storage, up to a position. Ending the iteration early closes the
 * cursor.
 */
export async function* streamJobResults(
  db: Db,
  job: JobOfUser,
  tiers: readonly WebPresence[],
  upTo?: number,
): AsyncGenerator<Result> {
  const filter = { ...ofTiers(job, tiers), ...(upTo !== undefined && { position: { $lte: upTo } }) }
  const cursor = resultsOf(db).find(filter, using(resultsBy.job_position)).sort({ position: 1 })
  for await (const document of readAhead(cursor.batchSize(EXPORT_BATCH))) yield presentResult(document)
}

/** Streams the sizes in bytes of the places of a job, as they are stored. */
export async function* placeSizes(db: Db, job: JobOfUser, tiers: readonly WebPresence[]): AsyncGenerator<number> {
  const projection = { _id: 0, size: { $bsonSize: '$place' } }
  const cursor = resultsOf(db).find(ofTiers(job, tiers), { ...using(resultsBy.job_position), projection })
  for await (const { size } of cursor.project<{ size: number }>(projection)) yield size
}

/** The documents that a stream in the order of the keys holds at a time. */
const SORTED_BATCH = 500

/** Streams the places of a job with these fields; if asked to, in the order of their keys. */
export function placesOf(
  db: Db,
  job_id: string,
  fields: readonly (keyof ResultDocument['place'])[],
  { byKey = false }: { byKey?: boolean } = {},
): AsyncIterable<Pick<ResultDocument, 'place_key' | 'place'>> {
  const projection = { place_key: 1, ...Object.fromEntries(fields.map((name) => [`place.${name}`, 1])) }
  const places = { job_id, place_key: { $exists: true } }
  if (!byKey) return resultsOf(db).find(places, { ...using(resultsBy.job_position), projection })
  const inOrder = {
    ...using(resultsBy.job_place),
    projection,
    sort: { place_key: 1 },
    batchSize: SORTED_BATCH,
  } as const
  return resultsOf(db).find(places, inOrder)
}

/** Streams the keys of the places of a job, in their order. The index alone has them. */
export async function* storedKeys(db: Db, job_id: string): AsyncGenerator<string> {
  const keys = { ...using(resultsBy.job_place), projection: { _id: 0, place_key: 1 } }
  for await (const { place_key } of resultsOf(db).find({ job_id, place_key: { $exists: true } }, keys)) yield place_key
}

/** What a person calls a place, and where it is. */
export type StoredName = { title: string; city?: string }

/** Returns the names of those of the places that a job stored. */
export async function storedNames(
  db: Db,
  job_id: string,
  keys: readonly string[],
): Promise<(StoredName & { place_key: string })[]> {
  const projection = { _id: 0, place_key: 1, 'place.title': 1, 'place.complete_address.city': 1 }
  const stored = resultsOf(db).find(
    { job_id, place_key: { $in: [...keys] } },
    { ...using(resultsBy.job_place), projection },
  )
  return stored
    .map(({ place_key, place: { title, complete_address } }) => ({
      place_key,
      title,
      ...(complete_address?.city !== undefined && { city: complete_address.city }),
    }))
    .toArray()
}

/** Returns which of these places a job stored, and what named them. */
export const storedPlaces = (
  db: Db,
  job_id: string,
  keys: readonly string[],
): Promise<Pick<ResultDocument, '_id' | 'place_key' | 'input'>[]> =>
  resultsOf(db)
    .find(
      { job_id, place_key: { $in: [...keys] } },
      { ...using(resultsBy.job_place), projection: { place_key: 1, input: 1 } },
    )
    .toArray()

/** Counts the totals of jobs from their stored places instead of the running sums, by job. Omits jobs without places. */
export async function recountTotals(db: Db, job_ids: string[]): Promise<Map<string, ResultTotals>> {
  const length = (list: string) => ({ $size: { $ifNull: [`$place.${list}`, []] } })
  const totals = {
    _id: '$job_id',
    places: { $sum: 1 },
    reviews: { $sum: { $add: [length('user_reviews'), length('user_reviews_extended')] } },
    images: { $sum: length('images') },
  }
  const stages = [{ $match: { job_id: { $in: job_ids }, place_key: { $exists: true } } }, { $group: totals }]
  const counted = resultsOf(db).aggregate<ResultTotals & { _id: string }>(stages, using(resultsBy.job_position))
  return new Map((await counted.toArray()).map(({ _id, ...job }) => [_id, job]))
}

const ofTiers = (job: JobOfUser, tiers: readonly WebPresence[]) =>
  isAll(tiers) ? job : { ...job, web_presence: { $in: [...tiers] } }

/** Returns whether the filter names all tiers. */
const isAll = (tiers: readonly WebPresence[]): boolean => tiers.length === WEB_PRESENCE_TIERS.length

/**
 * Streams the documents of a cursor, and asks for the next batch while the last one is worked on: the database and this
 * process work at the same time. It holds two batches at most. Ending the iteration early closes the cursor.
 */
export async function* readAhead<Doc>(cursor: FindCursor<Doc>): AsyncGenerator<Doc> {
  const next = async (): Promise<Doc[]> => ((await cursor.hasNext()) ? cursor.readBufferedDocuments() : [])
  let coming = next()
  try {
    for (let batch = await coming; batch.length > 0; batch = await coming) {
      coming = next()
      coming.catch(() => undefined) // awaited below, unless the reader leaves before
      yield* batch
    }
  } finally {
    await cursor.close()
  }
}
