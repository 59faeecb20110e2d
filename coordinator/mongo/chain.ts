import { MongoBulkWriteError } from 'mongodb'

const DUPLICATE_KEY = 11_000

/**
 * A list that only grows at its end, kept in a collection with two unique indexes: the position (1, 2, 3 …) and the
 * place's key within the job. The position's index is the lock: who loses a race reads the last member again and goes
 * on behind it. So there are no gaps, and any rule about the last member (a cap, a running sum, a seal) holds whatever
 * the concurrency, and after any crash.
 */
export type Chain<Item, Member> = {
  /** Those of the keys that are on the chain. */
  known(keys: string[]): Promise<string[]>
  /** The member with the highest position. */
  last(): Promise<Member | undefined>
  /** The members to append behind `last` now, for items from the first on. None ends the appending. */
  build(last: Member | undefined, items: Item[]): Promise<Member[]>
  /** Inserts in order up to the first that loses against a unique index; gives the number inserted. */
  insert(members: Member[]): Promise<number>
}

/** What became of the items: those appended, those that were on the chain before, and those `build` left out. */
export type Appended<Item> = { appended: Item[]; known: Item[]; left: Item[] }

/** Appends items to a chain, each key once. Items must have distinct keys. Safe to repeat. */
export async function appendToChain<Item extends { place_key: string }, Member>(
  chain: Chain<Item, Member>,
  items: Item[],
): Promise<Appended<Item>> {
  const result: Appended<Item> = { appended: [], known: [], left: items }
  while (result.left.length > 0) {
    const known = new Set(await chain.known(result.left.map((item) => item.place_key)))
    result.known.push(...result.left.filter((item) => known.has(item.place_key)))
    result.left = result.left.filter((item) => !known.has(item.place_key))
    if (result.left.length === 0) break
    const members = await chain.build(await chain.last(), result.left)
    if (members.length === 0) break
    const inserted = await chain.insert(members)
    result.appended.push(...result.left.splice(0, inserted))
  }
  return result
}

/**
 * Runs an ordered insert and gives the number of documents inserted before the first duplicate key.
 * @throws whatever else the insert throws.
 */
export async function insertedBeforeDuplicate(insert: Promise<{ insertedCount: number }>): Promise<number> {
  try {
    return (await insert).insertedCount
  } catch (error) {
    if (error instanceof MongoBulkWriteError && error.code === DUPLICATE_KEY) return error.insertedCount
    throw error
  }
}
