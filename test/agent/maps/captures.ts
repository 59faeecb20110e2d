import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Review } from '@placefleet/shared/review'
import { expect } from 'vitest'

const CAPTURES = join(import.meta.dirname, '..', '..', '..', 'agent', 'record', 'captures')

/** Returns a recorded answer, as text. It is reduced, see agent/record/captures/README.md. */
export const capture = (name: string): string => gunzipSync(readFileSync(join(CAPTURES, `${name}.gz`))).toString('utf8')

/** Returns the expected result of parsing the recorded answer of this name. */
export function expected(name: string): Record<string, unknown> {
  return fields(fields(JSON.parse(capture(`${name}.expected.json`))).expected)
}

/** Returns values that a program other than our parsers read from the recorded answer of this name. */
export const factsOf = (name: string): Record<string, unknown> => fields(JSON.parse(capture(`${name}.facts.json`)))

/** Returns the posts, services and other parts that such a program read from the recorded answer of this name. */
export const parts = (name: string): Record<string, unknown> =>
  fields(fields(JSON.parse(capture(`${name}.parts.json`))).expected)

/** Returns a value as a record; an empty one for other values. */
export function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}

/** A member of a record as a list of records. */
export function list(record: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const value = record[name]
  return Array.isArray(value) ? value.map(fields) : []
}

/**
 * Returns a value in the form in which captures are compared: empty text, list and map, zero and undefined are absent,
 * and special spaces are plain.
 */
export function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? undefined : value.replace(/[\u202f\u2009\u00a0]/g, ' ')
  if (value === 0 || value === null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(comparable)
  if (typeof value !== 'object') return value
  const kept = Object.entries(fields(value)).map(([name, member]) => [name, comparable(member)] as const)
  const filled = kept.filter(([, member]) => member !== undefined)
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

const REVIEW_FIELDS =
  'id author author_url profile_picture rating language published_at relative_time images text'.split(' ')

/** Fails unless a review is valid and its members are those of the expectation. */
export function expectReview(review: Review | undefined, wanted: Record<string, unknown>): void {
  const { reply, ...own } = wanted
  const ours = fields(review)
  expect(Review.parse(review)).toEqual(review)
  for (const name of REVIEW_FIELDS) {
    expect([name, comparable(ours[name])]).toEqual([name, comparable(own[name])])
  }
  expect(comparable(ours.text_original)).toEqual(comparable(own.text_translated ? own.text_original : ''))
  const { text, published_at } = fields(reply)
  expect(comparable(ours.reply)).toEqual(comparable(reply === undefined ? {} : { text, published_at }))
}
