import { usersOf } from '@placefleet/coordinator/accounts/documents'
import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import type { Db } from 'mongodb'
import { SCAN } from '../../harness/servers/scan.ts'

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const RANDOM_AT = 24

type Owned = { _id: string; user_id?: string }

/** What the database stores of a user, by collection. */
type Template<Made> = { made: Made; stored: Record<string, Owned[]>; at: number }

/**
 * Returns a function that makes copies of a user with everything that is theirs. The product makes the first one, with
 * some thirty commands; a copy takes one command for each collection. All ids of a copy are new, in the order of the
 * first ones, and its times are as long ago as those of the first one were.
 */
export function copies<Made extends { user_id: string }>(db: Db, make: () => Promise<Made>) {
  let first: Promise<Template<Made>> | undefined
  return async (howMany: number): Promise<Made[]> => {
    first ??= make().then((made) => takeTemplate(db, made))
    const { made, stored, at } = await first
    const copiers = Array.from({ length: howMany }, () => copier(Date.now() - at))
    const inserts = Object.entries(stored).map(([name, documents]) =>
      db.collection<Owned>(name).insertMany(copiers.flatMap((copy) => copy(documents))),
    )
    await Promise.all(inserts)
    return copiers.map((copy) => copy(made))
  }
}

/** Takes what a user has out of the database, where later sweeps would find it. */
async function takeTemplate<Made extends { user_id: string }>(db: Db, made: Made): Promise<Template<Made>> {
  const { user_id } = made
  const stored: Record<string, Owned[]> = {}
  for (const { collectionName } of [usersOf, webhooksOf, ledgerEntries, jobsOf, tasksOf].map((of) => of(db))) {
    const collection = db.collection<Owned>(collectionName)
    const owned = { $or: [{ _id: user_id }, { user_id }] }
    const documents = await collection.find(owned, { ...SCAN, promoteLongs: false }).toArray()
    if (documents.length > 0) stored[collectionName] = documents
    await collection.deleteMany(owned, SCAN)
  }
  return { made, stored, at: Date.now() }
}

/** Returns a function that copies values with new ids, always the same one for an id, and with later times. */
function copier(laterMs: number) {
  const mask = BigInt(`0x${crypto.randomUUID().slice(RANDOM_AT)}`)
  const copiedId = (id: string) => {
    const digits = BigInt(`0x${id.slice(RANDOM_AT)}`) ^ mask
    return id.slice(0, RANDOM_AT) + digits.toString(16).padStart(12, '0')
  }
  const copied = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(UUID, copiedId)
    if (value instanceof Date) return new Date(value.getTime() + laterMs)
    if (Array.isArray(value)) return value.map(copied)
    if (typeof value !== 'object' || value === null) return value
    if (Object.getPrototypeOf(value) !== Object.prototype) return value // a number of 64 bits
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member)]))
  }
  return <Value>(value: Value): Value => copied(value) as Value
}
