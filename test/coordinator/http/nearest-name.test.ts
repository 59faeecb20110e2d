import { editDistance, nearestName } from '@placefleet/coordinator/http/nearest-name'
import { CreateJobRequest } from '@placefleet/shared/job'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const FIELDS = Object.keys(CreateJobRequest.shape)

test.each([
  ['max_result', 'max_results'],
  ['maxResults', 'max_results'],
  ['Max-Reviews', 'max_reviews'],
  ['include_email', 'include_emails'],
  ['keyword', 'keywords'],
  ['lagnuage', 'language'],
  ['proxy', 'proxies'],
  ['latt', 'lat'],
])('%s means %s', (written, meant) => {
  expect(nearestName(written, FIELDS)).toBe(meant)
})

test.each(['user_id', '__proto__', '', 'x'.repeat(100_000)])('nothing is near %.20s', (written) => {
  expect(nearestName(written, FIELDS)).toBeUndefined()
})

test('the distance is a metric but for swaps, and counts one for each slip', () => {
  const text = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(editDistance(a, a)).toBe(0)
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, `${a}x`)).toBe(1)
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
    }),
  )
  expect(editDistance('abcd', 'acbd')).toBe(1)
})
