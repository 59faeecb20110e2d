import { parseBody } from '@placefleet/agent/maps/answers/body'
import { LOCAL_BOQ, readLocalBoq } from '@placefleet/agent/maps/reviews/local-boq'
import { Review } from '@placefleet/shared/review'
import { expect, test } from 'vitest'
import { capture, expected } from '../captures.ts'

const NOW = Date.UTC(2026, 10, 20)

/** Returns an answer with one record that has these members. */
const answerWith = (members: Record<number, unknown>): string => {
  const record = Object.assign(Array(48).fill(null), { 5: 'review-1' }, members)
  return `)]}'\n${JSON.stringify([null, [...Array(10).fill(null), [null, 1, [record]]]])}`
}

const only = (members: Record<number, unknown>) => LOCAL_BOQ.parse(answerWith(members)).reviews[0]

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

test('another payload is no list', () => {
  for (const value of [[], [[null, ['moved']], 2], [null, [null, []]], { a: 1 }]) {
    expect(LOCAL_BOQ.parse(JSON.stringify(value)).state).toBe('malformed')
  }
  expect(LOCAL_BOQ.parse('<html>').state).toBe('malformed')
})
