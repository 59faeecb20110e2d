import type { PlaceReference } from '@placefleet/shared/place'
import type { Db, Filter } from 'mongodb'
import { createCache } from '../cache.ts'
import type { ErasureStep } from '../mongo/erasure.ts'
import { removeAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { appendToChain, createSerial, insertInOrder, tailRead, type Updates } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { type ReferenceDocument, referencesBy, referencesOf } from './documents.ts'

/**
 * Places in one collect task. Large ones cost half as many database commands a place. Small ones spread a small job
 * over a fleet.
 */
const TASK_SIZE = { small: 10, large: 20 } as const

/**
 * A job has large tasks if each slot of the fleet gets so many of them. A fleet has at least the slots of one agent.
 */
const LARGE_TASKS_A_SLOT = 2
const LEAST_SLOTS = 4

/** Returns how many places each collect task of a job has. `most`: the most places of the job. */
export const taskSizeFor = (most: number, slots: number): number =>
  most >= LARGE_TASKS_A_SLOT * Math.max(slots, LEAST_SLOTS) * TASK_SIZE.large ? TASK_SIZE.large : TASK_SIZE.small

/** The most unclaimed tasks of one job in the queue: enough to keep a fleet busy between two releases. */
export const JOB_WINDOW = 8

/**
 * The most unclaimed tasks of one user in the queue: `rounds` times the slots of the fleet, from `min` to `max`.
 * Another user's task waits behind them, so a paying user gets up to twice the share of a free one.
 * - `min`: one task is on its way while another one waits.
 * - `max`: enough for any fleet, because each claim releases the next task. A smaller one means more releases.
 */
const USER_WINDOW = { paid: { rounds: 2, min: 4, max: 16 }, free: { rounds: 1, min: 2, max: 8 } }

/** Returns how many tasks of one user may wait in the queue of a fleet with `slots` slots. */
export function userWindow(slots: number, paid: boolean): number {
  const { rounds, min, max } = paid ? USER_WINDOW.paid : USER_WINDOW.free
  return Math.min(Math.max(slots * rounds, min), max)
}

/** The factor by which more collect tasks are released than the cap needs, because some places are not stored. */
const SPARE = 1.2

/** Returns the number of collect tasks of a size for listed places. While searches run, it counts only full tasks. */
export function plannedTasks(references: number, size: number, searching: boolean): number {
  return searching ? Math.floor(references / size) : Math.ceil(references / size)
}

/** Returns the ordinal of the collect task of a reference. */
export const taskOfPosition = (position: number, size: number): number => Math.floor((position - 1) / size)

/** What decides how many more tasks of a job go to the queue. */
export type Demand = {
  /** Released tasks that are not claimed yet, of the job and of its user. */
  unclaimed: { job: number; user: number }
  slots: number
  /** The places of one of its collect tasks. */
  size: number
  /** Whether its user pays. */
  paid: boolean
  /** Released or running collect tasks. */
  collecting: number
  /** The places that the job still needs. */
  wanted: number
  /** Whether the job drops places by a filter. Then the number of tasks that the cap needs is unknown. */
  filtered: boolean
}

/**
 * Returns how many tasks of a kind may be released now. Searches only need room in the windows. Collect tasks also stay
 * near what the cap still needs, so that a small cap does not fetch a city. One task is always allowed.
 */
export function releasable(kind: 'discover' | 'collect', demand: Demand): number {
  const window = Math.max(
    0,
    Math.min(JOB_WINDOW - demand.unclaimed.job, userWindow(demand.slots, demand.paid) - demand.unclaimed.user),
  )
  if (kind === 'discover' || demand.filtered) return window
  const needed = Math.ceil((demand.wanted * SPARE) / demand.size)
  const more = Math.max(needed - demand.collecting, demand.collecting === 0 ? 1 : 0)
  return Math.min(window, more)
}

/** The most places that a job's searches list: five times what the deepest search of five keywords can list. */
export const MAX_REFERENCES = 10_000

/** The most places that the searches of a job list which exhausts its area: twice those that it may store. */
export const MAX_REFERENCES_OF_AREA = 200_000

/** The most jobs in the cache of last references. An evicted one costs two more queries. */
const MAX_SEEN = 5_000

/** How many references another search of the job listed before, and how many the job has no room for. */
type AddedReferences = { duplicates: number; refused: number }

/**
 * How references are added: the search that listed them, or the texts that name them, and how many the job may have.
 * `then`: the updates that follow once all are stored, in the command that stores the last one.
 */
type Adding = {
  task_id?: string
  inputs?: ReadonlyMap<string, string>
  most?: number
  then?: (counts: AddedReferences) => Updates
}

/**
 * The stages that reduce the references of a job to the last one. Positions have no gaps, so its position counts them.
 */
export const LAST_REFERENCE = [{ $sort: { position: -1 } }, { $limit: 1 }, { $project: { position: 1 } }]

/** A reference for an agent, and what is known of it if the user named it. */
export type TaskReference = Pick<ReferenceDocument, 'place_key' | 'reference' | 'input' | 'found_key'>

/** The places that a job's searches listed, in a fixed order without duplicates. */
export type References = {
  /**
   * Adds the references that the job does not have yet, while it has fewer than `most`. Safe to repeat. `isRecorded`:
   * whether the last of the updates that followed found its document.
   */
  add(job_id: string, references: PlaceReference[], adding?: Adding): Promise<AddedReferences & { isRecorded: boolean }>
  /** Returns the number of places that the job's searches have listed so far. */
  count(job_id: string): Promise<number>
  /** Returns the references of a collect task of a job whose tasks have this size. */
  ofTask(job_id: string, ordinal: number, size: number): Promise<TaskReference[]>
  /** Removes a job's references that its searches listed. Those that the user named tell what became of them. */
  removeListed(job_id: string): Promise<void>
  remove(job_id: string): Promise<void>
}

export function createReferences(db: Db): References {
  const references = referencesOf(db)
  const serial = createSerial()
  const seen = createCache<{ position: number }>(MAX_SEEN)

  const last = async (job_id: string) => {
    const options = { ...using(referencesBy.job_position), ...tailRead(db) }
    const stages = [{ $match: { job_id } }, ...LAST_REFERENCE]
    return (await references.aggregate<{ position: number }>(stages, options).next()) ?? undefined
  }

  const add = async (
    job_id: string,
    listed: PlaceReference[],
    { task_id, inputs, most = MAX_REFERENCES, then }: Adding,
  ) => {
    const listedBy = new Map<string, string | undefined>()
    const distinct = [...new Map(listed.map((reference) => [reference.place_key, reference])).values()]
    // What this search listed before is a repeated message, not a duplicate.
    const isOther = ({ place_key }: PlaceReference) => task_id === undefined || listedBy.get(place_key) !== task_id
    const countsOf = (appended: number, known: readonly PlaceReference[]): AddedReferences => ({
      duplicates: known.filter(isOther).length,
      refused: distinct.length - appended - known.length,
    })
    const appended = await appendToChain<PlaceReference, { position: number }, ReferenceDocument>(
      {
        seen: seen.get(job_id),
        known: async (keys) => {
          const projection = { place_key: 1, task_id: 1 }
          const among = references.find({ job_id, place_key: { $in: keys } }, { projection, ...tailRead(db) })
          for await (const reference of among) listedBy.set(reference.place_key, reference.task_id)
          return keys.filter((key) => listedBy.has(key))
        },
        last: () => last(job_id),
        build: (previous, items) => documentsAfter(previous?.position ?? 0, { job_id, task_id, inputs }, items, most),
        insert: (members, updates) => insertInOrder(db, references, members, updates),
      },
      distinct,
      then && ((stored, known) => then(countsOf(stored, known))),
    )
    const { durable, known, isRecorded = true } = appended
    if (durable) seen.set(job_id, { position: durable.position })
    return { ...countsOf(appended.appended.length, known), isRecorded }
  }

  const remove = async (filter: Filter<ReferenceDocument> & { job_id: string }) => {
    seen.delete(filter.job_id)
    await removeAll(references, filter, { index: referencesBy.job_position })
  }

  return {
    add: (job_id, listed, adding = {}) => serial(job_id, () => add(job_id, listed, adding)),
    count: async (job_id) => (await last(job_id))?.position ?? 0,
    async ofTask(job_id, ordinal, size) {
      const position = { $gt: ordinal * size, $lte: (ordinal + 1) * size }
      const cursor = references.find({ job_id, position }, using(referencesBy.job_position)).sort({ position: 1 })
      return cursor.toArray()
    },
    removeListed: (job_id) => remove({ job_id, input: { $exists: false } }),
    remove: (job_id) => remove({ job_id }),
  }
}

/** Returns the documents of references that follow a position, as many as the job has room for. */
function documentsAfter(
  start: number,
  { job_id, task_id, inputs }: { job_id: string; task_id: string | undefined; inputs: Adding['inputs'] | undefined },
  references: PlaceReference[],
  most: number,
): ReferenceDocument[] {
  return references.slice(0, Math.max(0, most - start)).map((reference, index) => ({
    _id: timeOrderedUuid(),
    job_id,
    position: start + index + 1,
    place_key: reference.place_key,
    reference,
    ...(task_id !== undefined && { task_id }),
    ...inputFields(inputs?.get(reference.place_key)),
  }))
}

const inputFields = (input: string | undefined) => (input === undefined ? {} : { input })

/** Streams the places that the searches of a job listed. */
export async function* listedPlaces(db: Db, job_id: string): AsyncGenerator<PlaceReference> {
  const options = { ...using(referencesBy.job_position), projection: { reference: 1 } }
  for await (const { reference } of referencesOf(db).find({ job_id }, options)) yield reference
}

/** Returns which of some jobs have a place among those that their searches listed. */
export const jobsListing = (db: Db, jobs: string[], place_key: string): Promise<string[]> =>
  referencesOf(db).distinct('job_id', { job_id: { $in: jobs }, place_key })

/** Removes a place from what the searches of ended jobs listed. */
export const referenceErasure = (db: Db, place_key: string): ErasureStep => ({
  collection: referencesOf(db).collectionName,
  filter: { $or: [{ place_key }, { found_key: place_key }] },
  update: 'remove',
})
