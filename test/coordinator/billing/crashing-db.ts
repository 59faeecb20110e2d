import type { ClientBulkWriteModel, ClientBulkWriteResult, Collection, Db, MongoClient } from 'mongodb'
import { expect } from 'vitest'
import { Crash } from './memory-ledger.ts'

/**
 * When a process dies: after so many calls of the database, the last of them written or not. Then it calls `onCrash`.
 */
export type Fuse = { calls: number; written: boolean; onCrash?: () => void }

/** The calls that count. What reads a list counts as one, when it begins. */
const COUNTED = ['insertOne', 'updateOne', 'updateMany', 'findOneAndUpdate', 'findOne', 'deleteOne']

/** Every call that writes. */
export const WRITES = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne'],
  'findOneAndUpdate',
  'findOneAndDelete',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
]

/**
 * Returns a database as a process sees it that dies on the way: the call on which its fuse is burnt fails, and so does
 * every later one. What was written stays.
 */
export function crashingDb(db: Db, { calls, written, onCrash }: Fuse, counts: readonly string[] = COUNTED): Db {
  let left = calls
  const step = async (call: () => Promise<unknown>): Promise<unknown> => {
    left -= 1
    if (left > 0) return call()
    if (left === 0) {
      if (written) await call()
      onCrash?.()
    }
    throw new Crash()
  }
  return steppingDb(db, counts, step)
}

/** Returns a database whose named calls go through `step`. */
export function steppingDb(
  db: Db,
  names: readonly string[],
  step: (call: () => Promise<unknown>) => Promise<unknown>,
): Db {
  const wrapped = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return names.includes(String(name))
          ? (...given: unknown[]) => step(() => member.apply(target, given))
          : member.bind(target)
      },
    })
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name === 'collection') return (of: string) => wrapped(target.collection(of))
      if (name === 'client' && names.includes('bulkWrite')) return steppingClient(target.client, step)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

type Models = ClientBulkWriteModel<Record<string, object>>[]

/**
 * Returns a client whose `bulkWrite` takes a step for its inserts and one for each update: a command that writes to
 * several collections is not atomic.
 */
const steppingClient = (client: MongoClient, step: (call: () => Promise<unknown>) => Promise<unknown>) => ({
  async bulkWrite(models: Models, options: object): Promise<Partial<ClientBulkWriteResult>> {
    const results = { insertedCount: 0, updateResults: new Map() }
    for (let [from, to] = [0, 0]; from < models.length; from = to) {
      do to += 1
      while (models[from]?.name === 'insertOne' && models[to]?.name === 'insertOne')
      await step(async () => {
        const { insertedCount, updateResults } = await client.bulkWrite(models.slice(from, to), options)
        results.insertedCount += insertedCount
        for (const [index, result] of updateResults ?? []) results.updateResults.set(from + index, result)
      })
    }
    return results
  },
})

/** Waits for the work of a process that may die, and returns whether it died. Throws what else the work throws. */
export async function mayCrash(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    if (error instanceof Crash) return true
    throw error
  }
}

export type CrashPoints = {
  db: Db
  /** The fewest calls at which the process must have died. With fewer the test fails, for it tested nothing. */
  least: number
  /** The first call at which it dies. Default: 1. */
  first?: number
  /** Whether the last call before its death is written. */
  written: boolean | ((calls: number) => boolean)
  counts?: readonly string[]
}

/** Acts with a process that dies at its first call of the database, then at its second, until it lives to its end. */
export async function atEveryCrashPoint(points: CrashPoints, act: (dying: Db) => Promise<void>): Promise<void> {
  const { db, least, first = 1, written, counts } = points
  for (let calls = first; ; calls++) {
    let died = false
    const isWritten = typeof written === 'boolean' ? written : written(calls)
    const onCrash = () => {
      died = true
    }
    await act(crashingDb(db, { calls, written: isWritten, onCrash }, counts))
    if (died) continue
    expect(calls - first, 'the calls at which the process died').toBeGreaterThanOrEqual(least)
    return
  }
}
