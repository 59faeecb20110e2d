import type { CreateJobRequest } from '@placefleet/shared/job'
import { halfKeyOf } from '@placefleet/shared/place-key'
import { type Collection, type Db, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { batches, removeAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import { type StoredName, storedKeys, storedNames } from '../results/store.ts'
import { searchOf } from './compared-fields.ts'
import {
  droppedKeys,
  droppedPlacesBy,
  droppedPlacesOf,
  type KnownPlaceDocument,
  knownPlacesBy,
  knownPlacesOf,
  withHalves,
} from './documents.ts'

/** Known places of a user at most. */
const MOST_KNOWN = 1_000_000

/** Documents in one command to the database at most. */
const BATCH = 1_000

const DUPLICATE_KEY = 11_000

/** The fields of a job that decide which places it has already. */
export type KnowingJob = {
  user_id: string
  job_id: string
  data: Pick<CreateJobRequest, 'keywords' | 'places' | 'lat' | 'lon' | 'radius' | 'area' | 'bbox'>
}

/** How many uploaded keys were new, and how many were known before. */
type AddedPlaces = { added: number; already_known: number }

export type KnownPlaces = ReturnType<typeof createKnownPlaces>

type KnownPlacesOptions = {
  mostKnown?: number
  /** Resolves when the places of all ended jobs of a user are recorded. */
  whenRecorded?(user_id: string): Promise<void>
}

/** Creates the known places of a database. Every read and write takes the user or the job first. */
export function createKnownPlaces(db: Db, options: KnownPlacesOptions = {}) {
  const { mostKnown = MOST_KNOWN, whenRecorded = async () => undefined } = options
  return { ...jobQueries(db, mostKnown), ...userQueries(db, mostKnown, whenRecorded) }
}

function jobQueries(db: Db, mostKnown: number) {
  const [known, dropped] = [knownPlacesOf(db), droppedPlacesOf(db)]

  /**
   * Those of the keys that a user knows.
   * @param recheck_after days after which a known place counts as new again. Undefined: never.
   */
  const among = async (user_id: string, keys: string[], recheck_after?: number): Promise<Set<string>> => {
    if (keys.length === 0) return new Set()
    const filter = { user_id, place_key: { $in: withHalves(keys) }, ...collectedWithin(recheck_after) }
    const projection = { _id: 0, place_key: 1 }
    const documents = await known.find(filter, { projection, ...using(knownPlacesBy.user_place) }).toArray()
    const found = new Set(documents.map(({ place_key }) => place_key))
    return new Set(keys.filter((key) => found.has(key) || found.has(halfKeyOf(key))))
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

    async forgetDropped(job_id: string): Promise<void> {
      await removeAll(dropped, { job_id }, { index: droppedPlacesBy.job_place })
    },

    /**
     * Makes the places that a job stored, once no more can be stored, known to its user. Safe to repeat. New places are
     * inserted, because an insert costs the database a fraction of an upsert. Stops when the signal aborts.
     */
    async record({ user_id, job_id, data }: KnowingJob, signal?: AbortSignal): Promise<void> {
      const [search, last_job_id] = [searchOf(data), job_id]
      const seenAgain = async (keys: string[], stored: Partial<Record<keyof KnownPlaceDocument, string>> = {}) => {
        if (keys.length === 0) return
        const seen = { last_seen_at: '$$NOW', last_job_id, ...stored }
        const filter = { user_id, place_key: { $in: withHalves(keys) } }
        await known.updateMany(filter, [{ $set: seen }], using(knownPlacesBy.user_place))
      }

      let added = 0
      // Dropped places come first, so that the limit does not forget them below.
      for await (const keys of batches(droppedKeys(db, job_id), BATCH)) {
        signal?.throwIfAborted()
        await seenAgain(keys)
      }
      for await (const keys of batches(storedKeys(db, job_id), BATCH)) {
        signal?.throwIfAborted()
        const old = await among(user_id, keys)
        await seenAgain([...old], { collected_at: '$$NOW', collected_job_id: job_id, search })
        const now = new Date() // of this coordinator: the times are compared in days
        const seen = { first_seen_at: now, last_seen_at: now, last_job_id }
        const first = { ...seen, collected_at: now, collected_job_id: job_id, search }
        const fresh = keys.filter((place_key) => !old.has(place_key))
        await insertMissing(
          known,
          fresh.map((place_key) => ({ user_id, place_key, ...first })),
        )
        added += fresh.length
      }
      if (added > 0) await enforceLimit(db, user_id, mostKnown)
    },
  }
}

/**
 * A user who sees that a job has ended sees its places here: each call first waits for those that are not recorded yet.
 */
function userQueries(db: Db, mostKnown: number, whenRecorded: (user_id: string) => Promise<void>) {
  const known = knownPlacesOf(db)
  return {
    /** How many places a user has of the same search. It reads and counts no more than `most`. */
    async countOf(
      user_id: string,
      search: Parameters<typeof searchOf>[0],
      recheck_after?: number,
      most?: number,
    ): Promise<number> {
      await whenRecorded(user_id)
      return known.countDocuments(
        { user_id, search: searchOf(search), ...collectedWithin(recheck_after) },
        { ...using(knownPlacesBy.user_search_collected), ...(most !== undefined && { limit: most }) },
      )
    },

    /**
     * Makes uploaded places known. Safe to repeat.
     * @throws AppError `unprocessable` when the user could have more known places than a million.
     */
    async add(user_id: string, keys: string[]): Promise<AddedPlaces> {
      await whenRecorded(user_id)
      const count = await known.countDocuments({ user_id }, { ...using(knownPlacesBy.user_place), limit: mostKnown })
      if (count + keys.length > mostKnown) {
        const text = `You know ${count} places already; at most ${mostKnown} are possible. Forget them with DELETE /api/v1/known-places, or upload fewer.`
        throw new AppError('unprocessable', text)
      }
      const seen = { first_seen_at: new Date(), last_seen_at: new Date(), collected_at: new Date() }
      const there = await insertMissing(
        known,
        keys.map((place_key) => ({ user_id, place_key, ...seen })),
      )
      return { added: keys.length - there.length, already_known: there.length }
    },

    /** A user's known places with keys above `after`, in the order of their keys, at most `limit`. */
    async page(user_id: string, after: string, limit: number): Promise<NamedPlace[]> {
      await whenRecorded(user_id)
      const places = await known
        .find({ user_id, place_key: { $gt: after } }, using(knownPlacesBy.user_place))
        .sort({ place_key: 1 })
        .limit(limit)
        .toArray()
      return withNames(db, places)
    },

    async forget(user_id: string): Promise<void> {
      await whenRecorded(user_id)
      await removeAll(known, { user_id }, { index: knownPlacesBy.user_place })
    },
  }
}

/** A known place with its name. Absent: no job stored it, or that job is deleted. */
type NamedPlace = KnownPlaceDocument & Partial<StoredName>

async function withNames(db: Db, places: KnownPlaceDocument[]): Promise<NamedPlace[]> {
  const byJob = Map.groupBy(places, ({ collected_job_id }) => collected_job_id)
  const names = await Promise.all(
    [...byJob].map(([job_id, stored]) => (job_id === undefined ? [] : storedNames(db, job_id, stored.map(keyOf)))),
  )
  const named = new Map(names.flat().map(({ place_key, ...name }) => [place_key, name]))
  return places.map((place) => ({ ...place, ...named.get(place.place_key) }))
}

const keyOf = ({ place_key }: KnownPlaceDocument): string => place_key

const collectedWithin = (days: number | undefined): Document =>
  days === undefined ? {} : { $expr: { $gt: ['$collected_at', ago(days * 24, 'hour')] } }

/** Inserts documents in batches, past those that are there. Returns the documents that it did not insert. */
async function insertMissing<Doc extends Document>(
  into: Collection<Doc>,
  documents: OptionalUnlessRequiredId<Doc>[],
): Promise<OptionalUnlessRequiredId<Doc>[]> {
  const there: OptionalUnlessRequiredId<Doc>[] = []
  for (let begin = 0; begin < documents.length; begin += BATCH) {
    const batch = documents.slice(begin, begin + BATCH)
    try {
      await into.insertMany(batch, { ordered: false })
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.code !== DUPLICATE_KEY) throw error
      const failed = new Set([error.writeErrors].flat().map(({ index }) => index))
      there.push(...batch.filter((_, index) => failed.has(index)))
    }
  }
  return there
}

/**
 * Forgets the known places of a user beyond the limit, those first that no job has seen for the longest time. To count
 * a million takes the database a second, so it is done once at the end of a job. Safe to repeat.
 */
async function enforceLimit(db: Db, user_id: string, most: number): Promise<void> {
  const known = knownPlacesOf(db)
  const surplus = (await known.countDocuments({ user_id }, using(knownPlacesBy.user_place))) - most
  if (surplus <= 0) return
  await removeAll(known, { user_id }, { index: knownPlacesBy.user_seen, sort: { last_seen_at: 1 }, most: surplus })
}
