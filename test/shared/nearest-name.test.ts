import { SentJobRequest } from '@placefleet/shared/job'
import { nearestName } from '@placefleet/shared/text'
import { expect, test } from 'vitest'

const FIELDS = Object.keys(SentJobRequest.shape)

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
