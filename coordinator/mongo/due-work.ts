import { randomUUID } from 'node:crypto'
import type { Collection, Document, Filter, WithId } from 'mongodb'
import { UNJOURNALED } from './connect.ts'
import { BY_ID, type Index, using, usingKey } from './indexes.ts'
import { type Clock, nowOf } from './time.ts'

/** A document that may have work to do. */
export type Due = {
  _id: string
  /** When its work is due: at once, after a wait, or when the lease of its holder ends. Absent: nothing is to be done. */
  due_at?: Date
  /** The right of its last holder to do the work, and since when. Who makes it due otherwise removes it. */
  lease?: Lease
}

export type Lease = { id: string; at: Date }

/** A document whose work this process may do, until `due_at`. */
export type Held<Doc> = Doc & { due_at: Date; lease: Lease }

/** A document and the lease of its holder. */
type Holding = { _id: string; lease: Lease }

/** How often `takeFairly` looks again when others were first with all that it found. */
const TRIES = 3

const DUE_KEY = { due_at: 1 } as const
const IS_DUE = { due_at: { $exists: true } } as const

/** Returns the index by which a queue finds what is due. */
export const dueIndex = (collection: string): Index => ({
  collection,
  name: 'due',
  key: DUE_KEY,
  partialFilterExpression: IS_DUE,
})

/** Returns the index of what is due by another field first, such as the key of a fair queue. */
export const dueIndexBy = (collection: string, field: string): Index => ({
  ...dueIndex(collection),
  name: `due_${field}`,
  key: { [field]: 1, ...DUE_KEY },
})

/** The fields that make a document due at once, for whoever takes it first, in a pipeline. */
export const setDueNow = (clock: Clock = '$$NOW') => ({ due_at: nowOf(clock), lease: '$$REMOVE' }) as const

/** The same fields of a document without work. */
export const NOT_DUE = { due_at: '$$REMOVE', lease: '$$REMOVE' } as const

/** The filter of a document while this lease holds it. */
export const heldBy = ({ _id, lease }: Holding) => ({ _id, 'lease.id': lease.id }) as const

type DueQueueOptions = {
  /**
   * How long a lease lasts, in milliseconds or as an expression of the document. It is also the wait before work that
   * failed without a word is done again.
   */
  leaseMs: number | Document
  /** More fields that a lease sets. */
  set?: Document
  /** Which documents it is the queue of. Absent: all with work to do. */
  only?: Document
  /** The field by which `takeFairly` is fair. It needs the index `dueIndexBy(collection, key)`. */
  key?: string
  clock?: Clock
}

/** What a fair queue may take now: documents in all, and documents with a value of its key. */
export type Capacity = {
  total: number
  of(value: string): number
  /** The values that have no room. They are not read. */
  full: readonly string[]
}

/**
 * Creates the queue of the documents whose `due_at` is over. Any number of coordinators take from it, each document goes to
 * one. If that one dies, the lease ends and another takes the document, so all work must be safe to repeat. A former holder
 * changes nothing any more. Only the database's clock counts. Leases are not journaled: one that a crash loses is taken again.
 */
export function createDueQueue<Doc extends Due>(documents: Collection<Doc>, options: DueQueueOptions) {
  const { leaseMs, set = {}, only = {}, key = '_id', clock = '$$NOW' } = options
  const byDue = dueIndex(documents.collectionName)
  const byKey = dueIndexBy(documents.collectionName, key)
  const end = () => ({ $dateAdd: { startDate: nowOf(clock), unit: 'millisecond', amount: leaseMs } })
  const dueFilter = (more: Document = {}): Filter<Doc> =>
    Object.assign(all<Doc>(), only, IS_DUE, { $expr: { $lte: ['$due_at', nowOf(clock)] } }, more)
  const held = (holding: Holding): Filter<Doc> => Object.assign(all<Doc>(), heldBy(holding))

  const leased = (id: string) => [{ $set: { due_at: end(), lease: { id, at: nowOf(clock) }, ...set } }]

  const lease = async (due: Filter<Doc>, oldest: Document = {}): Promise<Held<WithId<Doc>> | undefined> => {
    const returned = { returnDocument: 'after', writeConcern: UNJOURNALED } as const
    const taken = await documents.findOneAndUpdate(due, leased(randomUUID()), { ...oldest, ...returned })
    return taken && isHeld(taken) ? taken : undefined
  }
  /** Leases those of the documents that are due, all under one id. Returns them, longest due first. */
  const leaseAll = async (ids: readonly string[]): Promise<Held<WithId<Doc>>[]> => {
    const id = randomUUID()
    await documents.updateMany(dueFilter({ _id: { $in: ids } }), leased(id), { writeConcern: UNJOURNALED, ...BY_ID })
    const taken = await documents
      .find(Object.assign(all<Doc>(), { _id: { $in: ids }, 'lease.id': id }), BY_ID)
      .toArray()
    return taken.filter(isHeld).sort((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id))
  }
  const change = async (holding: Holding, fields: Document): Promise<boolean> =>
    (await documents.updateOne(held(holding), [{ $set: fields }])).matchedCount === 1

  /** Returns the documents to take, longest due first. Reads those of a value without room at most once. */
  const findFair = async ({ total, of, full }: Capacity): Promise<string[]> => {
    const limit = 2 * total
    for (const passed = new Set(full); ; ) {
      const others = passed.size === 0 ? {} : { [key]: { $nin: [...passed] } }
      const candidates = await documents
        .find(dueFilter(others), using(passed.size === 0 ? byDue : byKey))
        .project<{ _id: string } & Record<string, string>>({ [key]: 1 })
        .sort(DUE_KEY)
        .limit(limit)
        .toArray()
      const byValue = Map.groupBy(candidates, (candidate) => candidate[key] ?? '')
      const fitting = new Set([...byValue].flatMap(([value, waiting]) => waiting.slice(0, of(value))))
      if (fitting.size > 0 || candidates.length < limit) {
        return candidates
          .filter((candidate) => fitting.has(candidate))
          .map(({ _id }) => _id)
          .slice(0, total)
      }
      for (const value of byValue.keys()) passed.add(value)
    }
  }

  return {
    /** Leases the document that has been due longest. Undefined: none is due. */
    take: () => lease(dueFilter(), { sort: DUE_KEY, ...usingKey(byDue) }),

    /** Leases a document if it is due. */
    takeOne: (_id: string) => lease(dueFilter({ _id })),

    /**
     * Leases as many documents as have room. The backlog of a value without room neither delays the others nor is it read.
     * None: nothing due has room, or others took all of it three times.
     */
    async takeFairly(capacity: Capacity): Promise<Held<WithId<Doc>>[]> {
      for (let tries = 0; tries < TRIES; tries++) {
        const ids = await findFair(capacity)
        if (ids.length === 0) return []
        const mine = await leaseAll(ids)
        if (mine.length > 0) return mine
      }
      return []
    },

    /** Prolongs a lease. False: it is lost. */
    renew: (holding: Holding) => change(holding, { due_at: end() }),

    /** Ends a lease: its work is due again at a time. False: it was lost before, and nothing changed. */
    again: (holding: Holding, at: Date | Document | '$$NOW', fields: Document = {}) =>
      change(holding, { ...fields, due_at: at, lease: '$$REMOVE' }),

    /** Ends a lease and the work. False: it was lost before, and nothing changed. */
    done: (holding: Holding, fields: Document = {}) => change(holding, { ...fields, ...NOT_DUE }),

    /** Returns the fields of a new document that its creator holds from this moment on. */
    heldFrom: (at: Date, ms: number) => ({ due_at: new Date(at.getTime() + ms), lease: { id: randomUUID(), at } }),

    /** Milliseconds until the next document is due: 0 or less when one is due now, undefined when none will be. */
    async nextInMs(): Promise<number | undefined> {
      const wait = { $subtract: ['$due_at', nowOf(clock)] }
      const stages = [{ $match: IS_DUE }, { $sort: DUE_KEY }, { $limit: 1 }, { $project: { wait } }]
      const [next] = await documents.aggregate<{ wait: number }>(stages, using(byDue)).toArray()
      return next && Number(next.wait)
    },
  }
}

export type DueQueue<Doc extends Due> = ReturnType<typeof createDueQueue<Doc>>

const all = <Doc>(): Filter<Doc> => ({})

const isHeld = <Doc extends object>(taken: Doc): taken is Held<Doc> => 'lease' in taken && 'due_at' in taken
