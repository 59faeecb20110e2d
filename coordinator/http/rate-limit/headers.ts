import type { Reading } from './bucket.ts'

/** The headers by which a response tells about a bucket (SPEC, "Request rate"), names in lower case. */
export function rateLimitHeaders(reading: Reading): Record<string, string> {
  return {
    'ratelimit-policy': `api;q=${reading.limit};w=${reading.window}`,
    ratelimit: `api;r=${reading.remaining};t=${reading.nextToken}`,
    'x-ratelimit-limit': String(reading.limit),
    'x-ratelimit-remaining': String(reading.remaining),
    'x-ratelimit-reset': String(reading.resetAt),
  }
}
