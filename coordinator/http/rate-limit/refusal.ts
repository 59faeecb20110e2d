import { AppError } from '@placefleet/shared/errors'
import type { Reading } from './bucket.ts'
import { rateLimitHeaders } from './headers.ts'

/** The failure of a request that its bucket refused, with that bucket's headers and when to come again. */
export function rateLimited(reading: Reading, what: string): AppError {
  const seconds = Math.max(1, reading.retryAfter)
  const headers = { ...rateLimitHeaders(reading), 'retry-after': String(seconds) }
  return new AppError('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { headers })
}
