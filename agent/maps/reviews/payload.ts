import type { Place } from '@placefleet/shared/place'
import type { Review, ReviewAnswer } from '@placefleet/shared/review'
import { batchMessage, parseList } from '../answers/body.ts'
import { languageTag } from '../answers/language.ts'
import {
  eachOnce,
  filled,
  filledFields,
  getAt,
  integerAt,
  lineAt,
  listAt,
  type Node,
  numberAt,
  omitUndefined,
  paragraphAt,
  readEach,
  textAt,
  urlAt,
} from '../answers/values.ts'

const MAX_IMAGES = 200
const DEFAULT_SCALE = 5

/** Reads a member of a list of reviews. `text` is the translation if it has one. `now` is in milliseconds. */
function readReview(member: unknown, now: number): Review | undefined {
  const review = reviewOf(member)
  const id = lineAt(review, 0)
  if (id === undefined) return undefined
  const photos = listAt(review, 2, 2)
  return omitUndefined({
    id,
    ...readAuthor(review),
    rating: readRating(review),
    ...readTexts(getAt(review, 2, 15), paragraphAt(review, 2, 1, 0)),
    language: languageTag(textAt(review, 2, 14, 0)),
    published_at: microsToIso(integerAt(review, 1, 2), now),
    relative_time: lineAt(review, 1, 6),
    images: urlsOf(photos, (photo) => urlAt(photo, 1, 6, 0)),
    // Each video stands at its photo in several sizes, the smallest first.
    videos: urlsOf(photos, (photo) => urlAt(photo, 1, 26, 1, 0, 3)),
    answers: readAnswers(getAt(review, 2, 6)),
    reply: readReply(getAt(review, 3), now),
  })
}

// A member is [review, …, token], or the bare review, which begins with its id.
const reviewOf = (member: unknown): unknown => (typeof getAt(member, 0) === 'string' ? member : getAt(member, 0))

// The author is at [5] since 2024 and was at [0] in 2023. [2] is always present; reviews from other sites have only
// that.
function readAuthor(review: unknown): Pick<Review, 'author' | 'author_url' | 'profile_picture'> {
  const author = getAt(review, 1, 4)
  return {
    author: lineAt(author, 5, 0) ?? lineAt(author, 0, 4) ?? lineAt(author, 2, 1),
    author_url: urlAt(author, 5, 2, 0) ?? urlAt(author, 0, 5) ?? urlAt(author, 2, 0),
    profile_picture: urlAt(author, 5, 1) ?? urlAt(author, 0, 3) ?? urlAt(author, 2, 2),
  }
}

// A review from another site is rated on that site's scale.
function readRating(review: unknown): number | undefined {
  const scale = numberAt(review, 1, 13, 4) ?? DEFAULT_SCALE
  const foreign = numberAt(review, 2, 8, 1)
  const scaled = foreign !== undefined && scale > 0 ? Math.round((foreign / scale) * 50) / 10 : undefined
  return fitStars(numberAt(review, 2, 0, 0) ?? scaled)
}

export const fitStars = (stars: number | undefined): number | undefined =>
  stars !== undefined && stars > 0 && stars <= 5 ? stars : undefined

// [[original], [translation]]
function readTexts(texts: unknown, older?: string): Pick<Review, 'text' | 'text_original'> {
  const original = paragraphAt(texts, 0, 0) ?? older
  const translation = paragraphAt(texts, 1, 0)
  return translation === undefined ? { text: original } : { text: translation, text_original: original }
}

export const urlsOf = (photos: Node, urlIn: (photo: unknown) => string | undefined): string[] | undefined =>
  filled(readEach(photos, urlIn), MAX_IMAGES)

const MAX_ANSWERS = 50

/** Reads the reviewer's answers to questions of the site: stars, or what was chosen. */
export function readAnswers(answers: unknown): ReviewAnswer[] | undefined {
  return filled(readEach(listAt(answers), readAnswer), MAX_ANSWERS)
}

function readAnswer(answer: unknown): ReviewAnswer | undefined {
  const id = lineAt(answer, 0, 0)
  const rating = fitStars(numberAt(answer, 11, 0))
  const chosen = readEach(listAt(answer, 2, 0), (choice) => lineAt(choice, 1))
  const choices = filled(chosen, MAX_ANSWERS)
  if (id === undefined || (rating === undefined && choices === undefined)) return undefined
  return omitUndefined({ id, name: lineAt(answer, 5), rating, choices })
}

// The branch exists without a reply too, with links to edit it. Only a posting time shows that there is a reply.
function readReply(reply: unknown, now: number): Review['reply'] {
  const posted = integerAt(reply, 1)
  if (posted === undefined) return undefined
  return filledFields({ text: readTexts(getAt(reply, 14)).text, published_at: microsToIso(posted, now) })
}

/** Reads a flat record of 2021, which has the same facts at other indexes and times in milliseconds. */
function readFlatReview(record: unknown, now: number): Review | undefined {
  const id = lineAt(record, 10)
  if (id === undefined) return undefined
  const reply = paragraphAt(record, 9, 1)
  return omitUndefined({
    id,
    author: lineAt(record, 0, 1),
    author_url: urlAt(record, 0, 0),
    profile_picture: urlAt(record, 0, 2),
    rating: fitStars(numberAt(record, 4)),
    text: paragraphAt(record, 3),
    language: languageTag(textAt(record, 32)),
    published_at: millisToIso(integerAt(record, 57) ?? integerAt(record, 27), now),
    relative_time: lineAt(record, 1),
    images: urlsOf(listAt(record, 14), (photo) => urlAt(photo, 6, 0)),
    reply: reply === undefined ? undefined : { text: reply },
  })
}

// The site's reviews began in 2007, and a clock may be a day wrong. Other numbers are not the time of a review.
const EARLIEST = Date.UTC(2007, 0, 1)
const TOLERANCE = 24 * 3_600_000

/** Returns the ISO time of microseconds since 1970. Undefined without a number, before 2007 and in the future. */
function microsToIso(micros: number | undefined, now: number): string | undefined {
  return micros === undefined ? undefined : millisToIso(Math.floor(micros / 1_000), now)
}

export function millisToIso(millis: number | undefined, now: number): string | undefined {
  if (millis === undefined || millis < EARLIEST || millis > now + TOLERANCE) return undefined
  return new Date(millis).toISOString()
}

/** A page of reviews. `refused`: well-formed but without a list, which the site sends to clients that it distrusts. */
export type ReviewList = {
  state: 'listed' | 'refused' | 'malformed'
  reviews: Review[]
  /** Absent on the last page. */
  next_token?: string | undefined
}

const PROCEDURE = '/MapsUgcPostService.ListUgcPosts'

/** Reads the list that older pages requested, the answer to a batchexecute request, or a bare list of items. */
export function parseReviewList(text: string, { now = Date.now() }: { now?: number } = {}): ReviewList {
  const message = batchMessage(text, PROCEDURE) ?? parseList(text)
  const envelope: Node | undefined = Array.isArray(message) ? message : undefined
  if (envelope === undefined) return { state: 'malformed', reviews: [] }
  const items = itemsOf(envelope)
  if (items === undefined) return { state: stateWithoutItems(envelope), reviews: [] }
  const reviews = eachOnce(readEach(items, (item) => readReview(item, now)))
  if (items.length > 0 && reviews.length === 0) return { state: 'malformed', reviews }
  const next_token = items === envelope ? tokenAfter(items.at(-1)) : textAt(envelope, 1)
  return { state: 'listed', reviews, next_token }
}

// A member of a bare list may carry the token that continues it.
const tokenAfter = (member: unknown): string | undefined =>
  Array.isArray(getAt(member, 0)) ? textAt(member, 2) : undefined

// The envelope is [null, token, items]. An older form has the items first; else the body is the list of items.
function itemsOf(envelope: Node): Node | undefined {
  const first = listAt(envelope, 0)
  const isOlder = listAt(envelope, 2).length === 0 && first.length > 0 && isItem(first[0])
  if (Array.isArray(envelope[2]) && !isOlder) return isItem(envelope[0]) ? envelope : listAt(envelope, 2)
  if (isItem(envelope[0])) return envelope
  if (Array.isArray(envelope[0]) && (envelope[0].length === 0 || isItem(envelope[0][0]))) return envelope[0]
  return undefined
}

// An item is a list that begins with the review, or the review itself, which begins with its id.
function isItem(member: unknown): boolean {
  return textAt(member, 0, 0) !== undefined || (textAt(member, 0) !== undefined && Array.isArray(getAt(member, 1)))
}

// [null,null,null,null,null,1] is the refusal. A missing list beside a token or other content is unknown.
function stateWithoutItems(envelope: Node): 'refused' | 'malformed' {
  const content = envelope.filter((member) => member !== null && member !== 1)
  return content.length === 0 ? 'refused' : 'malformed'
}

const MAX_REVIEWS = 500

/**
 * Reads the reviews in a place payload (8 of them), from the newest of the indexes at which payloads have held them.
 */
export function readInlineReviews(node: unknown, now: number): Partial<Place> {
  const lists = [
    readEach(listAt(node, 175, 9, 0, 0), (member) => readReview(member, now)),
    readEach(listAt(node, 175, 0, 0), (member) => readReview(member, now)),
    readEach(listAt(node, 52, 0), (record) => readFlatReview(record, now)),
  ]
  return { user_reviews: filled(eachOnce(lists.find((reviews) => reviews.length > 0) ?? []), MAX_REVIEWS) }
}
