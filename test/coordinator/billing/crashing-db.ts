import type { Collection, Db } from 'mongodb'
import { Crash } from './memory-ledger.ts'

/** When a process dies: after so many calls of the database, the last of them written or not. */
export type Fuse = { calls: number; written: boolean }

/** The calls that count. What reads a list counts as one, when it begins. */
const COUNTED = ['insertOne', 'updateOne', 'updateMany', 'findOneAndUpdate', 'findOne', 'deleteOne']

/** Every call that writes. */
export const WRITES = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne'],
  ...['findOneAndUpdate', 'deleteOne', 'deleteMany', 'bulkWrite'],
]

/**
 * Returns a database as a process sees it that dies on the way: the call on which its fuse is burnt fails, and so does
 * every later one. What was written stays.
 */
export function crashingDb(db: Db, { calls, written }: Fuse, counts: readonly string[] = COUNTED): Db {
  let left = calls
  const step = async (call: () => Promise<unknown>): Promise<unknown> => {
    left -= 1
    if (left > 0) return call()
    if (left === 0 && written) await call()
    throw new Crash()
  }
  const wrapped = (collection: Collection) =>
    new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        const counted = counts.includes(String(name))
        return counted ? (...given: unknown[]) => step(() => member.apply(target, given)) : member.bind(target)
      },
    })
  return new Proxy(db, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name === 'collection') return (of: string) => wrapped(target.collection(of))
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
