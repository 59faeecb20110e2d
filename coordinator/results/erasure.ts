import type { Db, Document } from 'mongodb'
import type { ErasureStep } from '../mongo/erasure.ts'
import { resultsOf } from './documents.ts'

/** Replaces an erased review or place. It still counts, because its job was billed for it. */
const ERASED = 'erased'
const ERASED_REVIEW = { id: ERASED }

const REVIEW_LISTS = ['user_reviews', 'user_reviews_extended'] as const

/** The key of an erased place, unique in its collection. */
export const ERASED_KEY = { $concat: [`${ERASED}:`, { $toString: '$_id' }] }

export const isErased = (place_key: string): boolean => place_key.startsWith(`${ERASED}:`)

/**
 * Empties every stored review of an author.
 * @param author the digits of the author's page on the map site, `…/contrib/<digits>`
 */
export function reviewErasure(db: Db, author: string): ErasureStep {
  const page = `/contrib/${author}(/|\\?|$)`
  const isTheirs = { $regexMatch: { input: { $ifNull: ['$$item.author_url', ''] }, regex: page } }
  const filter = { $or: REVIEW_LISTS.map((list) => ({ [`place.${list}.author_url`]: { $regex: page } })) }
  const lists = REVIEW_LISTS.map((list) => [
    `place.${list}`,
    mapped(list, { $cond: [isTheirs, ERASED_REVIEW, '$$item'] }),
  ])
  return { collection: resultsOf(db).collectionName, filter, update: [{ $set: Object.fromEntries(lists) }] }
}

/** Empties every stored copy of a place, its key included. */
export function resultErasure(db: Db, place_key: string): ErasureStep {
  const lists = REVIEW_LISTS.map((list) => [list, mapped(list, ERASED_REVIEW)])
  const place = { title: ERASED, images: mapped('images', { url: '' }), ...Object.fromEntries(lists) }
  // $set would merge the place into the old one.
  const emptied = { $replaceWith: { $setField: { field: 'place', input: '$$ROOT', value: place } } }
  const update = [emptied, { $set: { place_key: ERASED_KEY } }]
  return { collection: resultsOf(db).collectionName, filter: { place_key }, update }
}

/** Replaces each item of a place's list. The list keeps its length, or stays absent. */
const mapped = (list: string, replacement: Document) => ({
  $cond: [
    { $isArray: `$place.${list}` },
    { $map: { input: `$place.${list}`, as: 'item', in: replacement } },
    '$$REMOVE',
  ],
})
