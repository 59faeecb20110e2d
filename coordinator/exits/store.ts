import { randomUUID } from 'node:crypto'
import { literalPattern } from '@placefleet/shared/text'
import type { AnyBulkWriteOperation, Db } from 'mongodb'
import { UNJOURNALED } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { using } from '../mongo/indexes.ts'
import { databaseTime } from '../mongo/time.ts'
import { processId } from '../tasks/lease.ts'
import { type ExitDocument, exitsBy, exitsOf } from './documents.ts'

/** The next document of an exit, and the revision that it replaces; undefined for a new exit. */
type ExitChange = { readonly next: ExitDocument; readonly replaces: string | undefined }

export type ExitStore = {
  /** Returns those of the exits that are known, and the time of the database. */
  read(ids: readonly string[]): Promise<{ now: Date; exits: Map<string, ExitDocument> }>
  /**
   * Writes each change unless its exit has changed since it was read. Returns the ids of the exits that it wrote.
   * @param durable false: a crash of the database may lose the writes.
   */
  write(changes: readonly ExitChange[], durable: boolean): Promise<Set<string>>
  /** Returns the exits that were used last, the latest first. */
  list(): Promise<ExitDocument[]>
  /**
   * Ends the rest of an exit. After a refusal one request alone goes first, as after the end of any rest. Decisions
   * that were read before do not count. Returns false when there is no such exit.
   */
  wake(id: string): Promise<boolean>
  /** Returns the exits that rest because a process of this enrolled agent said so. */
  restedBy(agent_name: string): Promise<string[]>
}

const MOST_LISTED = 1_000

export function createExitStore(db: Db): ExitStore {
  const exits = exitsOf(db)
  return {
    async read(ids) {
      const documents = await exits
        .aggregate<ExitDocument & { now: Date }>([
          { $match: { _id: { $in: [...ids] } } },
          { $addFields: { now: '$$NOW' } },
        ])
        .toArray()
      const now = documents[0]?.now ?? (await databaseTime(db))
      return { now, exits: new Map(documents.map(({ now: _, ...exit }) => [exit._id, exit])) }
    },
    async write(changes, durable) {
      const ids = new Set(changes.map(({ next }) => next._id))
      const options = { ordered: false, ...(durable ? {} : { writeConcern: UNJOURNALED }) }
      try {
        const { matchedCount, upsertedCount } = await exits.bulkWrite(changes.map(writing), options)
        const created = changes.filter(({ replaces }) => replaces === undefined).length
        if (upsertedCount === created && matchedCount === changes.length - created) return ids
      } catch (error) {
        if (!isDuplicateKey(error)) throw error // another coordinator created the same exit
      }
      const current = await exits.find({ _id: { $in: [...ids] } }, { projection: { revision: 1 } }).toArray()
      const ours = new Set(changes.map(({ next }) => next.revision))
      return new Set(current.filter(({ revision }) => ours.has(revision)).map(({ _id }) => _id))
    },
    list: () => exits.find().sort({ used_at: -1 }).limit(MOST_LISTED).toArray(),
    async wake(_id) {
      const awake = { $set: { revision: randomUUID() }, $unset: { 'state.rest': '' } } as const // `rested_by` goes with the next decision
      return (await exits.updateOne({ _id }, awake)).matchedCount === 1
    },
    async restedBy(agent_name) {
      const processes = { rested_by: { $regex: `^${literalPattern(processId(agent_name, ''))}` } }
      const resting = await exits.find(processes, { projection: { _id: 1 }, ...using(exitsBy.rested_by) }).toArray()
      return resting.map(({ _id }) => _id)
    },
  }
}

const writing = ({ next, replaces }: ExitChange): AnyBulkWriteOperation<ExitDocument> =>
  replaces === undefined
    ? { updateOne: { filter: { _id: next._id }, update: { $setOnInsert: withoutId(next) }, upsert: true } }
    : { replaceOne: { filter: { _id: next._id, revision: replaces }, replacement: withoutId(next) } }

function withoutId({ _id, ...fields }: ExitDocument): Omit<ExitDocument, '_id'> {
  return fields
}
