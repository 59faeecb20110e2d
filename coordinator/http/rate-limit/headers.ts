import { AppError } from '../errors.ts'
import type { Reading } from './bucket.ts'

/** The headers that describe a token bucket (SPEC, "Request rate"), with names in lower case. */
export function rateLimitHeaders(reading: Reading): Record<string, string> {
  return {
    'ratelimit-policy': `api;q=${reading.limit};w=${reading.window}`,
    ratelimit: `api;r=${reading.remaining};t=${reading.nextToken}`,
    'x-ratelimit-limit': String(reading.limit),
    'x-ratelimit-remaining': String(reading.remaining),
    'x-ratelimit-reset': String(reading.resetAt),
  }
}

/** The headers of a 429 with another cause than the bucket: nothing remains for `seconds` (SPEC, "Request rate"). */
export const retryAfterHeaders = (seconds: number): Record<string, string> => ({
  ratelimit: `api;r=0;t=${seconds}`,
  'x-ratelimit-remaining': '0',
  'retry-after': String(seconds),
})

/** The error of a request that its bucket rejected, with the headers of the bucket and the time to wait. */
export function rateLimited(reading: Reading, what: string): AppError {
  const seconds = Math.max(1, reading.retryAfter)
  const headers = { ...rateLimitHeaders(reading), 'retry-after': String(seconds) }
  return new AppError('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { headers })
}
