import { parseBody } from '@placefleet/agent/maps/answers/body'
import { listAt, textAt } from '@placefleet/agent/maps/answers/values'
import { parseLocalBoq, readLocalBoq } from '@placefleet/agent/maps/reviews/local-boq'
import { Review } from '@placefleet/shared/review'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capture, expected } from '../captures.ts'

const NOW = Date.UTC(2026, 10, 20)

/** Returns an answer with one record that has these members. */
const answerWith = (members: Record<number, unknown>): string => {
  const record = Object.assign(Array(48).fill(null), { 5: 'review-1' }, members)
  return `)]}'\n${JSON.stringify([null, [...Array(10).fill(null), [null, 1, [record]]]])}`
}

const only = (members: Record<number, unknown>) => parseLocalBoq(answerWith(members)).reviews[0]

test('a recorded answer gives every field, videos and answers to questions among them', () => {
  const list = readLocalBoq(parseBody(capture('reviews-boq-2026.json')), NOW)
  const { reviews, next_page_token } = expected('reviews-boq-2026')
  expect(list.state).toBe('listed')
  expect(list.next_token).toBe(next_page_token)
  const absent = (_: string, value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value)
  expect(list.reviews).toEqual(JSON.parse(JSON.stringify(reviews), absent))
  expect(list.reviews.map((review) => Review.parse(review))).toEqual(list.reviews)
})

test.each([
  ['line breaks', 'Good.<br>Cheap.<br/>Open.', 'Good.\nCheap.\nOpen.'],
  ['entities', 'Fish &amp; chips &#39;n&#x27; &lt;3 &quot;ok&quot;', `Fish & chips 'n' <3 "ok"`],
  ['an unknown entity', 'AT&T; &#99999999; &nosuch;', 'AT&T; &#99999999; &nosuch;'],
])('%s of texts are plain', (_, html, text) => {
  expect(only({ 27: html })?.text).toBe(text)
})

test('a translated review has its original too, one without translation has not', () => {
  expect(only({ 27: 'Good', 32: 'Gut' })).toMatchObject({ text: 'Good', text_original: 'Gut' })
  expect(only({ 27: 'Good', 32: '' })).not.toHaveProperty('text_original')
})

test('the reply of the owner is its text; the answer says only in words when it was written', () => {
  expect(only({ 4: [null, '1 day ago', 'Thank you', null, 'en'] })?.reply).toEqual({ text: 'Thank you' })
})

const CAPTURE = parseBody(capture('reviews-boq-2026.json'))
/** The links of the reduced capture say nothing. These are in the form of the recorded ones. */
const RECORDS = listAt(CAPTURE, 1, 10, 2).map((record) => {
  const id = textAt(record, 5)
  return listAt(record)
    .with(10, `https://www.google.com/local/content/rap/report?postId=${id}&t=1`)
    .with(
      12,
      `https://www.google.com/maps/reviews/data=!4m8!14m7!1m6!2m5!1s${id}!2m1!1s0x0:0x9fe54cd44a84f1c7?hl=en-GB`,
    )
})
const readRecords = (records: readonly unknown[]) =>
  readLocalBoq([null, [...Array(10).fill(null), [null, 1, records]]], NOW).reviews
const WHOLE = readRecords(RECORDS)
/** The indexes of the members that hold a fact of a review, which is lost with them. */
const FACT_AT: Partial<Record<number, readonly (keyof Review)[]>> = {
  1: ['rating'],
  2: ['published_at', 'relative_time'],
  3: ['author', 'author_url', 'profile_picture'],
  14: ['images', 'videos'],
  26: ['language'],
  27: ['text'],
  30: ['answers'],
}

const without = (review: Review | undefined, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(review ?? {}).filter(([field]) => !fields.includes(field)))

test.each(Array.from({ length: 48 }, (_, at) => [at] as const))(
  'a record without member %i loses nothing else',
  (at) => {
    const reviews = readRecords(RECORDS.map((record) => record.toSpliced(at, 1)))
    const lost = FACT_AT[at] ?? []
    expect(reviews.map((review) => without(review, lost))).toEqual(WHOLE.map((review) => without(review, lost)))
    for (const review of reviews) expect(review.language).toBe(at === 26 ? undefined : 'en')
  },
)

test.each(Array.from({ length: 49 }, (_, at) => [at] as const))(
  'a record with one more member at %i loses nothing',
  (at) => {
    for (const member of [null, '', [], false, {}, [null, 1]])
      expect(readRecords(RECORDS.map((record) => record.toSpliced(at, 0, member)))).toEqual(WHOLE)
  },
)

test('a record of 30 to 48 members without any of those that hold nothing gives the same', () => {
  const holdsNothing = (member: unknown, at: number) => member === null || (at >= 28 && at !== 30)
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 48, maxLength: 48 }), (leavesOut) => {
      const shorter = RECORDS.map((record) =>
        record.filter((member, at) => !leavesOut[at] || !holdsNothing(member, at)),
      )
      expect(readRecords(shorter)).toEqual(WHOLE)
    }),
  )
})

test.each([
  ['a short text', { 26: 'de', 27: 'top', 28: 'top' }, { language: 'de', text: 'top' }],
  ['a text without a language', { 27: 'top', 28: 'top' }, { text: 'top' }],
  ['a text that looks like a language', { 26: 'en', 27: 'so-so', 28: 'so-so' }, { language: 'en', text: 'so-so' }],
  [
    'no short text',
    { 26: 'zh-Hant', 27: 'Good', 32: '好' },
    { language: 'zh-Hant', text: 'Good', text_original: '好' },
  ],
  ['a language alone', { 26: 'pt-BR' }, { language: 'pt-BR' }],
  ['no language but another word', { 26: 'Portuguese', 27: 'Bom', 28: 'Bom' }, { text: 'Bom' }],
  ['a text at the end of a record', { 46: 'en', 47: 'Good' }, { language: 'en', text: 'Good' }],
  ['a record of links alone', { 10: 'https://maps.example/a', 12: 'https://maps.example/b' }, {}],
  ['an original alone', { 26: 'en', 32: 'Gut' }, { language: 'en', text: 'Gut' }],
])('%s is read', (_, members, texts) => {
  expect(only(members)).toEqual({ id: 'review-1', ...texts })
})

test('another payload is no list', () => {
  for (const value of [[], [[null, ['moved']], 2], [null, [null, []]], { a: 1 }]) {
    expect(parseLocalBoq(JSON.stringify(value)).state).toBe('malformed')
  }
  expect(parseLocalBoq('<html>').state).toBe('malformed')
})
