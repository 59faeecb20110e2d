import type { CreateJobRequest } from '@placefleet/shared/job'
import {
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  type Document,
  MongoBulkWriteError,
  type OptionalUnlessRequiredId,
} from 'mongodb'
import { AppError } from '../http/errors.ts'
import { using } from '../mongo/indexes.ts'
import { removeAll } from '../mongo/remove-all.ts'
import { ago } from '../mongo/time.ts'
import { CHAIN_INDEX, resultsOf } from '../results/documents.ts'
import { createKnownCap, MOST_KNOWN } from './cap.ts'
import {
  DROPPED_INDEX,
  droppedPlacesOf,
  type KnownPlaceDocument,
  knownPlacesOf,
  SEARCH_INDEX,
  USER_INDEX,
} from './documents.ts'
import { FACTS, factsOf, fingerprintOf, searchOf } from './facts.ts'

/** Documents in one command to the database at most. */
const BATCH = 1_000

const DUPLICATE_KEY = 11_000

/** The fields of a job that decide which places it has already. */
export type KnowingJob = {
  user_id: string
  job_id: string
  data: Pick<CreateJobRequest, 'keywords' | 'lat' | 'lon' | 'radius'>
  /** The jobs of its user that have not ended. Their places may be recorded again. */
  active_jobs: readonly string[]
}

/** How many uploaded keys were new, and how many were known before. */
export type AddedPlaces = { added: number; already_known: number }

export type KnownPlaces = ReturnType<typeof createKnownPlaces>

/** Creates the known places of a database. Every read and write takes the user or the job first. */
export function createKnownPlaces(db: Db, { mostKnown = MOST_KNOWN }: { mostKnown?: number } = {}) {
  return { ...jobQueries(db, mostKnown), ...userQueries(db, mostKnown) }
}

function jobQueries(db: Db, mostKnown: number) {
  const dropped = droppedPlacesOf(db)
  const cap = createKnownCap(db, mostKnown)

  /**
   * Those of the keys that a user knows.
   * @param recheck_after days after which a known place counts as new again. Undefined: never.
   */
  const among = async (user_id: string, keys: string[], recheck_after?: number): Promise<Set<string>> => {
    if (keys.length === 0) return new Set()
    const filter = { user_id, place_key: { $in: keys }, ...collectedWithin(recheck_after) }
    const projection = { _id: 0, place_key: 1 }
    const found = await knownPlacesOf(db)
      .find(filter, { projection, ...using(USER_INDEX) })
      .toArray()
    return new Set(found.map(({ place_key }) => place_key))
  }

  return {
    among,

    /** Notes known places that a job saw and dropped. Safe to repeat. */
    async noteDropped(job_id: string, keys: string[]): Promise<void> {
      await insertMissing(
        dropped,
        keys.map((place_key) => ({ job_id, place_key })),
      )
    },

    /** The known places that a job saw and dropped. */
    droppedBy: (job_id: string): Promise<string[]> => dropped.distinct('place_key', { job_id }),

    /** Removes the records of the places that a job dropped. */
    async forgetDropped(job_id: string): Promise<void> {
      await removeAll(dropped, { job_id }, { index: DROPPED_INDEX })
    },

    /** Makes the places that a job stored or dropped, once no more can be stored, known to its user. Safe to repeat. */
    async record(job: KnowingJob): Promise<void> {
      const stored = await storedBy(db, job)
      const known = await among(job.user_id, [...stored.keys()])
      const fresh = [...stored].filter(([place_key]) => !known.has(place_key))
      const first = fresh.map(([place_key, facts]) => firstSighting(job, place_key, facts))
      // Another job may have inserted some of them meanwhile.
      const met = await insertMissing(knownPlacesOf(db), first)
      const again = [...known, ...met.map(({ place_key }) => place_key)]
      const droppedKeys = await dropped.distinct('place_key', { job_id: job.job_id })
      const updates = [
        ...again.map((place_key) => sighting(job, place_key, { collected_at: '$$NOW', ...stored.get(place_key) })),
        ...droppedKeys.map((place_key) => sighting(job, place_key)),
      ]
      const options = { ordered: false, let: { active_jobs: job.active_jobs } }
      for (const some of batches(updates)) await knownPlacesOf(db).bulkWrite(some, options)
      await cap.keep(job.user_id, first.length)
    },
  }
}

function userQueries(db: Db, mostKnown: number) {
  const known = knownPlacesOf(db)
  return {
    /** How many places a user has of the same search. It reads and counts no more than `most`. */
    countOf: (
      user_id: string,
      search: Parameters<typeof searchOf>[0],
      recheck_after?: number,
      most?: number,
    ): Promise<number> =>
      known.countDocuments(
        { user_id, search: searchOf(search), ...collectedWithin(recheck_after) },
        { ...using(SEARCH_INDEX), ...(most !== undefined && { limit: most }) },
      ),

    /**
     * Makes uploaded places known. Safe to repeat.
     * @throws AppError `unprocessable` when the user could have more known places than a million.
     */
    async add(user_id: string, keys: string[]): Promise<AddedPlaces> {
      const count = await known.countDocuments({ user_id }, { ...using(USER_INDEX), limit: mostKnown })
      if (count + keys.length > mostKnown) {
        const text = `You know ${count} places already; at most ${mostKnown} are possible. Forget them with DELETE /api/v1/known-places, or upload fewer.`
        throw new AppError('unprocessable', text)
      }
      const seen = { first_seen_at: new Date(), last_seen_at: new Date(), collected_at: new Date(), times_seen: 0 }
      const there = await insertMissing(
        known,
        keys.map((place_key) => ({ user_id, place_key, ...seen })),
      )
      return { added: keys.length - there.length, already_known: there.length }
    },

    /** A user's known places with keys above `after`, in the order of their keys, at most `limit`. */
    page: (user_id: string, after: string, limit: number): Promise<KnownPlaceDocument[]> =>
      known
        .find({ user_id, place_key: { $gt: after } }, using(USER_INDEX))
        .sort({ place_key: 1 })
        .limit(limit)
        .toArray(),

    /** Forgets all places of a user. */
    async forget(user_id: string): Promise<void> {
      await removeAll(known, { user_id }, { index: USER_INDEX })
    },
  }
}

const collectedWithin = (days: number | undefined): Document =>
  days === undefined ? {} : { $expr: { $gt: ['$collected_at', ago(days * 24, 'hour')] } }

/** The fields that only a job that stored the place knows. */
type StoredFields = Required<Pick<KnownPlaceDocument, 'fingerprint' | 'search'>>

/** Returns the places that a job stored, by their keys. */
async function storedBy(db: Db, { job_id, data }: KnowingJob): Promise<Map<string, StoredFields>> {
  const facts = Object.fromEntries(FACTS.map((name) => [`place.${name}`, 1]))
  const places = resultsOf(db).find(
    { job_id, place_key: { $exists: true } },
    { ...using(CHAIN_INDEX), projection: { place_key: 1, ...facts } },
  )
  const search = searchOf(data)
  const stored = new Map<string, StoredFields>()
  for await (const { place_key, place } of places)
    stored.set(place_key, { fingerprint: fingerprintOf(factsOf(place)), search })
  return stored
}

/**
 * Returns the document of a place that its user did not know. An insert costs the database a fraction of an update. The
 * times are those of this coordinator: they are compared in days.
 */
function firstSighting({ user_id, job_id }: KnowingJob, place_key: string, facts: StoredFields): KnownPlaceDocument {
  const now = new Date()
  const seen = { first_seen_at: now, first_job_id: job_id, last_seen_at: now, last_job_id: job_id, times_seen: 1 }
  return { user_id, place_key, ...seen, collected_at: now, ...facts }
}

/** Returns the write for one place that one job saw. Repeated writes change nothing. Needs the variable `active_jobs`. */
function sighting(
  { user_id, job_id }: KnowingJob,
  place_key: string,
  stored: Document = {},
): AnyBulkWriteOperation<KnownPlaceDocument> {
  const isFirst = { $eq: [{ $type: '$first_seen_at' }, 'missing'] }
  const counted = { $concatArrays: [{ $ifNull: ['$counted_jobs', []] }, ['$last_job_id']] }
  // Newer jobs may have begun after the active ones were read.
  const mayRepeat = { $or: [{ $in: ['$$id', '$$active_jobs'] }, { $gt: ['$$id', job_id] }] }
  const seen = {
    first_seen_at: { $ifNull: ['$first_seen_at', '$$NOW'] },
    first_job_id: { $cond: [isFirst, job_id, '$first_job_id'] },
    last_seen_at: '$$NOW',
    last_job_id: job_id,
    times_seen: { $add: [{ $ifNull: ['$times_seen', 0] }, 1] },
    counted_jobs: { $filter: { input: counted, as: 'id', cond: mayRepeat } },
    collected_at: { $ifNull: ['$collected_at', '$$NOW'] },
    ...stored,
  }
  const once = { $cond: [{ $in: [job_id, counted] }, '$$ROOT', { $mergeObjects: ['$$ROOT', seen] }] }
  return { updateOne: { filter: { user_id, place_key }, update: [{ $replaceWith: once }], upsert: true } }
}

/** Inserts documents in batches, past those that are there. Returns the documents that it did not insert. */
async function insertMissing<Doc extends Document>(
  into: Collection<Doc>,
  documents: OptionalUnlessRequiredId<Doc>[],
): Promise<OptionalUnlessRequiredId<Doc>[]> {
  const there: OptionalUnlessRequiredId<Doc>[] = []
  for (const some of batches(documents)) {
    try {
      await into.insertMany(some, { ordered: false })
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.code !== DUPLICATE_KEY) throw error
      const failed = new Set([error.writeErrors].flat().map(({ index }) => index))
      there.push(...some.filter((_, index) => failed.has(index)))
    }
  }
  return there
}

const batches = <Item>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) => items.slice(index * BATCH, (index + 1) * BATCH))
