import { randomInt } from 'node:crypto'
import type { Place } from '@placefleet/shared/place'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import type { Collection, Db } from 'mongodb'
import { createCache } from '../cache.ts'
import { removeAll, updateAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { appendToChain, createSerial, insertInOrder, tailRead, type Updates } from '../mongo/locks.ts'
import { type ResultDocument, type ResultTotals, resultsBy, type SealDocument, type TierCounts } from './documents.ts'
import { NO_TIERS } from './store.ts'

/** A place that passed validation and the job's filter. */
export type AcceptedPlace = { place_key: string; place: Place; web_presence: WebPresence; input?: string | undefined }

/** The job that places are stored for, with its limits, and the task and agent that found them. */
export type Destination = {
  user_id: string
  job_id: string
  task_id: string
  attempt: number
  agent_id: string
  max_results: number
  /** Whether the job's hold covers these totals. */
  affordable(totals: ResultTotals): boolean
}

/** Why a chain accepts no more places: `max_results` is reached, the credits on hold are spent, or the job has ended. */
type ChainEnd = 'full' | 'spent' | 'sealed'

/** `duplicates`: places that another task stored before. */
type AppendCounts = { stored: number; duplicates: number }

/** `isRecorded`: whether the last of the updates that followed found its document. */
export type AppendedPlaces = AppendCounts & { totals: ResultTotals; end?: ChainEnd; isRecorded: boolean }

/** The only writer of results. */
export type ResultAppender = {
  /**
   * Appends places to the job's chain, each once, while its cap and its hold allow. Safe to repeat.
   * @param then the updates that follow once all places are stored, in the command that stores the last one.
   */
  append(to: Destination, places: AcceptedPlace[], then?: (counts: AppendCounts) => Updates): Promise<AppendedPlaces>
  /** Seals the job's chain, so that no place can be added, and returns its final totals. Safe to repeat. */
  seal(job_id: string): Promise<ResultTotals>
  /** Returns the latest totals of a job that this process remembers. They may be outdated. Runs no query. */
  seen(job_id: string): ResultTotals | undefined
  /** Returns the keys of the places that a job has stored, or which keys of `among` it has stored. */
  keys(job_id: string, among?: string[]): Promise<string[]>
  /** Removes a deleted job's places. Their positions stay taken, so no place can be stored again. */
  bury(job_id: string): Promise<void>
  /** Removes the rest of a deleted job's chain. Call it when no agent can write to the job any more. */
  delete(job_id: string): Promise<void>
}

type Member = ResultDocument | SealDocument

/** The fields of a chain's last member that the next append needs. */
type Tail = { _id: number; position: number; totals: ResultTotals; tiers: TierCounts; sealed?: true }

const NOTHING: ResultTotals = { places: 0, reviews: 0, images: 0 }

/** How many jobs' tails are cached. A cache miss costs two more queries. */
const MAX_SEEN = 5_000

export function createResultAppender(db: Db): ResultAppender {
  const results = db.collection<Member>('results')
  const serial = createSerial()
  const tails = createCache<Tail>(MAX_SEEN)

  const append: ResultAppender['append'] = async (to, places, then) => {
    const { job_id } = to
    const storedBy = new Map<string, string>()
    // A place that this task stored before is a repeated message, not a duplicate.
    const duplicatesAmong = (known: readonly AcceptedPlace[]) =>
      known.filter(({ place_key }) => storedBy.get(place_key) !== to.task_id).length
    const appended = await appendToChain<AcceptedPlace, Tail, ResultDocument & Tail>(
      {
        seen: tails.get(job_id),
        known: async (keys) => {
          for (const [key, task_id] of await storedAmong(db, results, job_id, keys)) storedBy.set(key, task_id)
          return keys.filter((key) => storedBy.has(key))
        },
        last: () => readTail(db, results, job_id),
        build: (tail, items) => documents(tail, fitBehind(tail, items, to), to),
        insert: (members, updates) => insertInOrder(db, results, members, updates),
      },
      places,
      then && ((stored, known) => then({ stored, duplicates: duplicatesAmong(known) })),
    )
    const { last, durable, known, left, isRecorded = true } = appended
    if (durable) tails.set(job_id, tailOf(durable))
    const end = chainEnd(last, left.length > 0, to)
    const counts = { stored: appended.appended.length, duplicates: duplicatesAmong(known) }
    return { ...counts, totals: last?.totals ?? NOTHING, isRecorded, ...(end && { end }) }
  }

  return {
    append: (to, places, then) => serial(to.job_id, () => append(to, places, then)),
    seal: (job_id) => serial(job_id, () => seal(db, results, job_id)),
    seen: (job_id) => tails.get(job_id)?.totals,
    keys: (job_id, among) => {
      const place_key = among ? { $in: among } : { $exists: true }
      return results.distinct('place_key', { job_id, place_key })
    },
    bury: async (job_id) => {
      const seals = [{ $replaceWith: { _id: '$_id', job_id: '$job_id', position: '$position', sealed: true } }]
      await updateAll(results, { job_id, sealed: { $exists: false } }, seals, { index: resultsBy.job_position })
    },
    delete: async (job_id) => {
      tails.delete(job_id)
      await removeAll(results, { job_id }, { index: resultsBy.job_position })
    },
  }
}

async function seal(db: Db, results: Collection<Member>, job_id: string): Promise<ResultTotals> {
  for (;;) {
    const tail = await readTail(db, results, job_id)
    if (tail?.sealed) return tail.totals
    const totals = tail?.totals ?? NOTHING
    const position = (tail?.position ?? 0) + 1
    const _id = timeOrderedNumbers(tail?._id ?? 0, 1)
    const closing: SealDocument = { _id, job_id, position, sealed: true, totals }
    if ((await insertInOrder(db, results, [closing])).inserted === 1) return totals
  }
}

/** Returns the leading items that the job's cap and hold allow after the chain's tail. */
function fitBehind(tail: Tail | undefined, items: AcceptedPlace[], to: Destination): AcceptedPlace[] {
  if (tail?.sealed) return []
  const room = items.slice(0, Math.max(0, to.max_results - (tail?.position ?? 0)))
  let totals = tail?.totals ?? NOTHING
  const unaffordable = room.findIndex((item) => {
    totals = added(totals, item.place)
    return !to.affordable(totals)
  })
  return unaffordable < 0 ? room : room.slice(0, unaffordable)
}

function documents(tail: Tail | undefined, items: AcceptedPlace[], to: Destination) {
  const firstId = timeOrderedNumbers(tail?._id ?? 0, items.length)
  const { user_id, job_id, task_id, attempt, agent_id } = to
  let totals = tail?.totals ?? NOTHING
  let tiers = tail?.tiers ?? NO_TIERS
  return items.map(({ place: { place_key, ...place }, web_presence, input }, index) => {
    totals = added(totals, place)
    tiers = { ...tiers, [web_presence]: tiers[web_presence] + 1 }
    const member = { _id: firstId + index, user_id, job_id, position: (tail?.position ?? 0) + index + 1 }
    const source = { task_id, attempt, agent_id, created_at: new Date() }
    return {
      ...member,
      place_key,
      ...(input !== undefined && { input }),
      web_presence,
      place,
      totals,
      tiers,
      ...source,
    }
  })
}

function chainEnd(tail: Tail | undefined, someLeft: boolean, to: Destination): ChainEnd | undefined {
  if (tail?.sealed) return 'sealed'
  if ((tail?.position ?? 0) >= to.max_results) return 'full'
  return someLeft ? 'spent' : undefined
}

function added(totals: ResultTotals, place: Omit<Place, 'place_key'>): ResultTotals {
  const reviews = (place.user_reviews?.length ?? 0) + (place.user_reviews_extended?.length ?? 0)
  return {
    places: totals.places + 1,
    reviews: totals.reviews + reviews,
    images: totals.images + (place.images?.length ?? 0),
  }
}

const tailOf = ({ _id, position, totals, tiers, sealed }: Tail): Tail => ({
  _id,
  position,
  totals,
  tiers,
  ...(sealed && { sealed }),
})

async function readTail(db: Db, results: Collection<Member>, job_id: string): Promise<Tail | undefined> {
  const order = { sort: { position: -1 }, ...using(resultsBy.job_position), ...tailRead(db) } as const
  const last = await results.findOne({ job_id }, { ...order, projection: { place: 0 } })
  if (!last) return undefined
  const { _id, position } = last
  if (!('sealed' in last)) return { _id, position, totals: last.totals, tiers: last.tiers }
  const before = last.totals ? undefined : await results.findOne({ job_id, position: position - 1 }, tailRead(db))
  const totals = last.totals ?? before?.totals ?? NOTHING
  return { _id, position, totals, tiers: NO_TIERS, sealed: true }
}

/** Returns those keys that the job has stored, each with the task that stored it. */
async function storedAmong(
  db: Db,
  results: Collection<Member>,
  job_id: string,
  keys: string[],
): Promise<[string, string][]> {
  const projection = { place_key: 1, task_id: 1 }
  const members = await results.find({ job_id, place_key: { $in: keys } }, { projection, ...tailRead(db) }).toArray()
  return members.flatMap((member) => ('place_key' in member ? [[member.place_key, member.task_id]] : []))
}

const EPOCH = Date.UTC(2026, 0)
const IDS_A_MILLISECOND = 1024

/**
 * Returns the first of `count` consecutive whole numbers above `last` that rise with time and are safe in JSON. Two
 * coordinators may draw the same number in the same millisecond, about once in a hundred such cases. Then the unique
 * index of the ids rejects the second, which draws again.
 * @throws Error when the clock shows a time before 2026: such numbers were given away, and would be refused for ever.
 */
export function timeOrderedNumbers(last: number, count: number, now: number = Date.now()): number {
  if (now < EPOCH) {
    throw new Error(`The clock of this machine shows ${new Date(now).toISOString()}. Set it: ids are made from it.`)
  }
  const free = Math.max(1, IDS_A_MILLISECOND - count)
  return Math.max((now - EPOCH) * IDS_A_MILLISECOND + randomInt(free), last + 1)
}
