import { AppError } from '../errors.ts'
import type { Reading } from './bucket.ts'
import { rateLimitHeaders } from './headers.ts'

/** What the headers of a 429 say that has another reason than the bucket: nothing is left until then (SPEC, "Request rate"). */
export const notBefore = (seconds: number): Record<string, string> => ({
  ratelimit: `api;r=0;t=${seconds}`,
  'x-ratelimit-remaining': '0',
  'retry-after': String(seconds),
})

/** The failure of a request that its bucket refused, with that bucket's headers and when to come again. */
export function rateLimited(reading: Reading, what: string): AppError {
  const seconds = Math.max(1, reading.retryAfter)
  const headers = { ...rateLimitHeaders(reading), 'retry-after': String(seconds) }
  return new AppError('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { headers })
}
