import { createHash } from 'node:crypto'
import type { Collection, Db, Document } from 'mongodb'
import { collection } from '../mongo/connect.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { resultsOf } from './documents.ts'

/** The record of an erasure. It does not reveal whose data was erased, except to a reader who knows the erased id. */
type ErasureDocument = {
  _id: string
  kind: 'author' | 'place'
  /** SHA-256 of the id in hex. */
  subject: string
  began_at: Date
  ended_at?: Date
  /** The number of stored places that changed. */
  places?: number
}

/** The id of the record, and the number of stored places that changed. */
type Erasure = { record: string; places: number }

const erasuresOf = (db: Db): Collection<ErasureDocument> => collection(db, 'erasures')

/** Replaces an erased review or place. It still counts, because its job was billed for it. */
const ERASED = 'erased'
const ERASED_REVIEW = { id: ERASED }

const REVIEW_LISTS = ['user_reviews', 'user_reviews_extended'] as const

/**
 * Empties every stored review of an author. Safe to repeat.
 * @param author the digits of the author's page on the map site, `…/contrib/<digits>`
 */
export function eraseAuthor(db: Db, author: string): Promise<Erasure> {
  const page = `/contrib/${author}(/|\\?|$)`
  const isTheirs = { $regexMatch: { input: { $ifNull: ['$$item.author_url', ''] }, regex: page } }
  const filter = { $or: REVIEW_LISTS.map((list) => ({ [`place.${list}.author_url`]: { $regex: page } })) }
  const lists = REVIEW_LISTS.map((list) => [
    `place.${list}`,
    mapped(list, { $cond: [isTheirs, ERASED_REVIEW, '$$item'] }),
  ])
  return erase(db, { kind: 'author', id: author }, filter, { $set: Object.fromEntries(lists) })
}

/** Empties every stored copy of a place, its key included. Safe to repeat. */
export function erasePlace(db: Db, place_key: string): Promise<Erasure> {
  const lists = REVIEW_LISTS.map((list) => [list, mapped(list, ERASED_REVIEW)])
  const place = { title: ERASED, images: mapped('images', { url: '' }), ...Object.fromEntries(lists) }
  // $set would merge the place into the old one.
  const emptied = { $replaceWith: { $setField: { field: 'place', input: '$$ROOT', value: place } } }
  const renamed = { $set: { place_key: { $concat: [`${ERASED}:`, { $toString: '$_id' }] } } } // unique within its job
  return erase(db, { kind: 'place', id: place_key }, { place_key }, emptied, renamed)
}

async function erase(
  db: Db,
  { kind, id }: { kind: ErasureDocument['kind']; id: string },
  filter: Document,
  ...update: Document[]
): Promise<Erasure> {
  const record = timeOrderedUuid()
  const subject = createHash('sha256').update(id).digest('hex')
  await erasuresOf(db).insertOne({ _id: record, kind, subject, began_at: new Date() })
  const { modifiedCount: places } = await resultsOf(db).updateMany(filter, update)
  await erasuresOf(db).updateOne({ _id: record }, { $set: { ended_at: new Date(), places } })
  return { record, places }
}

/** Replaces each item of a place's list. The list keeps its length, or stays absent. */
const mapped = (list: string, replacement: Document) => ({
  $cond: [
    { $isArray: `$place.${list}` },
    { $map: { input: `$place.${list}`, as: 'item', in: replacement } },
    '$$REMOVE',
  ],
})
