import type { PlaceReference } from '@placefleet/shared/place'
import { LRUCache } from 'lru-cache'
import type { Db } from 'mongodb'
import { appendToChain, createSerial, insertedBeforeDuplicate } from '../mongo/locks.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { REFERENCE_INDEX, type ReferenceDocument, referencesOf } from './documents.ts'

/** Places in one collect task: small enough to spread a job over a fleet and to lose little when an agent dies. */
export const TASK_SIZE = 10

/** Unclaimed tasks of one job in the queue at most: enough to keep a fleet busy between two releases. */
export const JOB_WINDOW = 8

/**
 * Unclaimed tasks of one user in the queue: what another user's task has to wait behind. As many as the fleet has slots
 * are gone in one round of it; more than the upper bound are not needed to keep slots busy, since each claim releases
 * the next, and one of the lower is on its way while the other waits. The queue serves in turn, so who pays has up to
 * twice the share of who does not when both wait, and nobody waits behind more than a round of anybody.
 */
const USER_WINDOW = { paid: { round: 1, min: 3, max: 16 }, free: { round: 0.5, min: 2, max: 8 } }

/** Returns how many tasks of one user may wait in the queue of a fleet with so many slots. */
export function userWindow(slots: number, paid: boolean): number {
  const { round, min, max } = paid ? USER_WINDOW.paid : USER_WINDOW.free
  return Math.min(Math.max(Math.ceil(slots * round), min), max)
}

/** Collect tasks released beyond what the cap needs at this share of places that end otherwise than stored. */
const SPARE = 1.2

/** Returns how many collect tasks a number of listed places makes: only full ones while searches still run. */
export function plannedTasks(references: number, searching: boolean): number {
  return searching ? Math.floor(references / TASK_SIZE) : Math.ceil(references / TASK_SIZE)
}

/** What decides how many more tasks of a job go to the queue. */
export type Demand = {
  /** Released and not claimed yet, of the job and of its user. */
  unclaimed: { job: number; user: number }
  /** Of all agents. */
  slots: number
  /** Whether its user pays. */
  paid: boolean
  /** Released or running collect tasks. */
  collecting: number
  /** Places the job still takes. */
  wanted: number
  /** Whether the job drops places by their website, so that it cannot be told how many tasks the cap needs. */
  filtered: boolean
}

/**
 * Returns how many tasks of a kind may be released now. Searches go whenever the windows have room. Collecting also
 * stays near what the cap still needs, so that a small cap does not fetch a city; one task may always go.
 */
export function releasable(kind: 'discover' | 'collect', demand: Demand): number {
  const window = Math.max(
    0,
    Math.min(JOB_WINDOW - demand.unclaimed.job, userWindow(demand.slots, demand.paid) - demand.unclaimed.user),
  )
  if (kind === 'discover' || demand.filtered) return window
  const needed = Math.ceil((demand.wanted * SPARE) / TASK_SIZE)
  const more = Math.max(needed - demand.collecting, demand.collecting === 0 ? 1 : 0)
  return Math.min(window, more)
}

/** Places that a job's searches list at most: five times what the deepest search of five keywords can. */
export const MAX_REFERENCES = 10_000

/** Jobs whose last reference is remembered. One that is forgotten costs two queries more. */
const MAX_SEEN = 5_000

/** References remembered until their tasks are claimed. One that is forgotten costs its task a query more. */
const MAX_UNCLAIMED = 5_000

/** How many of some references the job had before, and how many it has no room for. */
export type AddedReferences = { known: number; refused: number }

/** The places that a job's searches listed, in one order, each once. */
export type References = {
  /** Adds the references that the job does not have yet, up to `MAX_REFERENCES`. Safe to repeat. */
  add(job_id: string, references: PlaceReference[]): Promise<AddedReferences>
  /** The number of places that the job's searches have listed so far. */
  count(job_id: string): Promise<number>
  /** The references of the collect task with this ordinal. */
  ofTask(job_id: string, ordinal: number): Promise<PlaceReference[]>
  /** Removes a job's references. */
  remove(job_id: string): Promise<void>
}

/** Creates the references of a database. */
export function createReferences(db: Db): References {
  const references = referencesOf(db)
  const serial = createSerial()
  const seen = new LRUCache<string, { position: number }>({ max: MAX_SEEN })
  const unclaimed = createUnclaimed()

  const last = async (job_id: string) =>
    (await references.findOne({ job_id }, { sort: { position: -1 }, hint: REFERENCE_INDEX })) ?? undefined

  const add = async (job_id: string, found: PlaceReference[]): Promise<AddedReferences> => {
    const distinct = [...new Map(found.map((reference) => [reference.place_key, reference])).values()]
    const appended = await appendToChain<PlaceReference, { position: number }, ReferenceDocument>(
      {
        seen: seen.get(job_id),
        known: (keys) => references.distinct('place_key', { job_id, place_key: { $in: keys } }),
        last: () => last(job_id),
        build: (previous, items) => documentsAfter(previous?.position ?? 0, job_id, items),
        insert: async (members) => {
          const inserted = await insertedBeforeDuplicate(references.insertMany(members, { ordered: true }))
          unclaimed.add(members.slice(0, inserted))
          return inserted
        },
      },
      distinct,
    )
    if (appended.last) seen.set(job_id, { position: appended.last.position })
    return { known: appended.known.length, refused: appended.left.length }
  }

  return {
    add: (job_id, found) => serial(job_id, () => add(job_id, found)),
    count: async (job_id) => (await last(job_id))?.position ?? 0,
    ofTask: async (job_id, ordinal) => {
      const remembered = unclaimed.take(job_id, ordinal)
      if (remembered) return remembered
      const position = { $gt: ordinal * TASK_SIZE, $lte: (ordinal + 1) * TASK_SIZE }
      const cursor = references.find({ job_id, position }, { hint: REFERENCE_INDEX }).sort({ position: 1 })
      return (await cursor.toArray()).map(({ reference }) => reference)
    },
    remove: async (job_id) => {
      seen.delete(job_id)
      await references.deleteMany({ job_id }, { hint: REFERENCE_INDEX })
    },
  }
}

/** Returns the documents of references that follow a position, as many as the job has room for. */
function documentsAfter(start: number, job_id: string, references: PlaceReference[]): ReferenceDocument[] {
  return references.slice(0, Math.max(0, MAX_REFERENCES - start)).map((reference, index) => ({
    _id: timeOrderedUuid(),
    job_id,
    position: start + index + 1,
    place_key: reference.place_key,
    reference,
  }))
}

/** Creates the references that this coordinator stored, until their tasks are claimed. */
function createUnclaimed() {
  const references = new LRUCache<string, PlaceReference>({ max: MAX_UNCLAIMED })
  const keyOf = (job_id: string, position: number) => `${job_id} ${position}`
  return {
    add(members: readonly ReferenceDocument[]): void {
      for (const { job_id, position, reference } of members) references.set(keyOf(job_id, position), reference)
    },
    /** Takes the references of a task. Undefined: not all ten are here. A job's last task may have fewer. */
    take(job_id: string, ordinal: number): PlaceReference[] | undefined {
      const keys = Array.from({ length: TASK_SIZE }, (_, index) => keyOf(job_id, ordinal * TASK_SIZE + index + 1))
      const found = keys.flatMap((key) => references.get(key) ?? [])
      for (const key of keys) references.delete(key)
      return found.length === TASK_SIZE ? found : undefined
    },
  }
}
