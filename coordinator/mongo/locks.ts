import { type Collection, type Db, type Document, MongoClientBulkWriteError } from 'mongodb'
import { failureOfBulk, isDuplicateKey } from './failures.ts'
import type { Index } from './indexes.ts'

/**
 * A list that only grows at its end, in a collection with two unique indexes: the position (1, 2, 3 …) and the place's
 * key within the job. The index of the positions is the lock: a writer that loses a race reads the last member again
 * and appends behind it. So positions have no gaps, and a rule about the last member (a cap, a running sum, a seal)
 * holds for any number of writers and after any crash.
 *
 * A crash of the database takes members away that were read before they were durable. So a writer remembers only a
 * member that it inserted itself: a database acknowledges writes in order, so all members before it are durable too.
 */
export type Chain<Item, Last, Member extends Last> = {
  /** The last member that this process has appended. It may be outdated; then an insert behind it fails. */
  seen?: Last | undefined
  /** Returns the given keys that are on the chain. */
  known(keys: string[]): Promise<string[]>
  /** Returns the member with the highest position. */
  last(): Promise<Last | undefined>
  /** Returns the members to append behind `last`, for the leading items. An empty list ends the append. */
  build(last: Last | undefined, items: Item[]): Member[]
  /**
   * Inserts in order up to the first conflict with a unique index. The last insert of an append brings the updates that
   * follow it, for the same command.
   */
  insert(members: Member[], then?: Updates): Promise<Inserted>
}

/** Updates of any documents, in order. The last one says by its filter whether it still counts. */
export type Updates = readonly Update[]

type Update = { name: 'updateOne'; namespace: string; filter: Document; update: Document; upsert?: boolean }

/** @see insertInOrder */
type Inserted = { inserted: number; isRecorded?: boolean | undefined }

/**
 * The result of an append: items that were `appended`, were `known` before, or were `left` out by `build`; the last
 * member after it; and the last member that it appended, the only one to remember as `seen`. `isRecorded`: whether the
 * last of the updates that followed found its document; undefined without updates.
 */
type Appended<Item, Last> = {
  appended: Item[]
  known: Item[]
  left: Item[]
  last: Last | undefined
  durable: Last | undefined
  isRecorded?: boolean | undefined
}

/**
 * Returns the options of a read that a chain is continued from. Where a write waits for a majority of the members, it
 * does not see what an election may take away.
 */
export const tailRead = ({ writeConcern }: Pick<Db, 'writeConcern'>) =>
  writeConcern?.w === 'majority' ? ({ readConcern: 'majority' } as const) : {}

/**
 * Appends items to a chain, each key once. Items must have distinct keys. Idempotent. Costs one command when the last
 * member is known. After a lost race, or when not all items fit, it reads the chain first.
 * @param then returns the updates that follow the inserts, from the number of appended items and those known before.
 */
export async function appendToChain<Item extends { place_key: string }, Last, Member extends Last>(
  chain: Chain<Item, Last, Member>,
  items: Item[],
  then?: (appended: number, known: readonly Item[]) => Updates,
): Promise<Appended<Item, Last>> {
  const result: Appended<Item, Last> = {
    appended: [],
    known: [],
    left: [...items],
    last: chain.seen,
    durable: undefined,
  }
  let isCurrent = chain.seen !== undefined
  let isSure = false
  const updatesAfter = (inserting: number) => then?.(result.appended.length + inserting, result.known)
  while (result.left.length > 0) {
    if (!isCurrent) {
      const known = new Set(await chain.known(result.left.map((item) => item.place_key)))
      result.known.push(...result.left.filter((item) => known.has(item.place_key)))
      result.left = result.left.filter((item) => !known.has(item.place_key))
      result.last = await chain.last()
      isCurrent = isSure = true
      if (result.left.length === 0) break
    }
    const members = chain.build(result.last, result.left)
    if (members.length < result.left.length && !isSure) {
      isCurrent = false // items that do not fit may be on the chain already
      continue
    }
    if (members.length === 0) break
    const { inserted, isRecorded } = await chain.insert(members, updatesAfter(members.length))
    result.isRecorded = isRecorded
    result.durable = members[inserted - 1] ?? result.durable
    result.last = members[inserted - 1] ?? result.last
    result.appended.push(...result.left.splice(0, inserted))
    isCurrent = inserted === members.length
    if (isCurrent) return result // what did not fit before does not fit now
  }
  const updates = updatesAfter(0)
  if (updates) result.isRecorded = (await chain.insert([], updates)).isRecorded
  return result
}

/**
 * Inserts documents in order, up to the first duplicate key, and then runs the updates: all in one command, which is
 * not atomic. After a duplicate key it runs no update. `isRecorded`: whether the last update found its document.
 * @throws all other errors of the command.
 */
export async function insertInOrder<Member extends Document>(
  db: Db,
  collection: Collection<Member>,
  members: readonly Member[],
  then: Updates = [],
): Promise<Inserted> {
  const { namespace } = collection
  const inserts = members.map((document) => ({ name: 'insertOne', namespace, document }) as const)
  const { writeConcern = {} } = db
  const options = { writeConcern, verboseResults: then.length > 0 }
  try {
    const { insertedCount, updateResults } = await db.client.bulkWrite([...inserts, ...then], options)
    const record = updateResults?.get(inserts.length + then.length - 1)
    return { inserted: insertedCount, isRecorded: record && record.matchedCount === 1 }
  } catch (error) {
    if (!(error instanceof MongoClientBulkWriteError)) throw error
    const [failed = 0] = error.writeErrors.keys()
    const failure = failureOfBulk(error)
    if (!isDuplicateKey(failure) || failed >= members.length) throw failure
    return { inserted: failed }
  }
}

/**
 * Counts the live documents of an owner. Each holds a slot from 0 to `limit` - 1. The lock is a unique index over owner
 * and slot, partial on documents with a slot. To free a slot, unset it.
 */
export type Slots = {
  limit: number
  index: Index
  /** Returns the slots that the owner's documents hold now. */
  taken(): Promise<unknown[]>
  /** Inserts the document with this slot. */
  insert(slot: number): Promise<unknown>
}

/**
 * Inserts a document into a free slot of its owner, so that an owner never has more than `limit` live documents, even
 * under concurrency. Returns false when no slot is free.
 */
export async function insertInSlot({ limit, index, taken, insert }: Slots): Promise<boolean> {
  for (;;) {
    const held = new Set(await taken())
    const free = Array.from({ length: limit }, (_, slot) => slot).filter((slot) => !held.has(slot))
    if (held.size >= limit) return false
    // Rivals try different slots. While some are above a limit that was lowered, all try the same, so that one gets it.
    const isLowered = held.size > limit - free.length
    const slot = isLowered ? free[0] : free[Math.floor(Math.random() * free.length)]
    if (slot === undefined) return false
    try {
      await insert(slot)
      return true
    } catch (error) {
      if (!isDuplicateKey(error, index)) throw error
    }
  }
}

/** Runs work per key one after the other. Work under different keys runs concurrently. */
type Serial = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Creates an empty queue. It orders the writers of one process only, so that they wait instead of colliding and
 * retrying. Between processes a unique index decides.
 */
export function createSerial(): Serial {
  const tails = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = tails.get(key) ?? Promise.resolve()
    const result = before.then(work)
    const tail = result
      .catch(() => undefined)
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
    tails.set(key, tail)
    return result
  }
}
