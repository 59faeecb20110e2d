/** A token bucket's rule: `rate` tokens come back per second, and it holds `burst` of them. */
export type RatePolicy = { rate: number; burst: number }

/** What is stored of a bucket. A bucket that has never been used is full, and is not stored. */
export type BucketState = { tokens: number; at: Date }

/** A bucket after requests asked for tokens, and how many of them got one. */
export type Taken = BucketState & { granted: number }

/**
 * How far a clock may seem to run back because two requests overtake each other between reading the clock and reaching
 * the bucket. Then the later time stands, so that no moment refills a bucket twice. A clock that really was set back
 * goes further: then the earlier time stands, so that the bucket does not stop refilling until the clock is back.
 */
export const OVERTAKING_MS = 5_000

/** A token that is short by less than this is a whole one: binary fractions must not make a client wait once more. */
export const ROUNDING = 1e-9

/**
 * Asks a bucket for tokens at a moment, one for each of the requests that ask together. Over any stretch of time it
 * grants at most `burst` tokens plus `rate` a second. A request refused takes nothing. `bucket-expression.ts` says the
 * same to MongoDB.
 */
export function take(state: BucketState | undefined, policy: RatePolicy, now: Date, requests = 1): Taken {
  const before = state ?? { tokens: policy.burst, at: now }
  const elapsedMs = now.getTime() - before.at.getTime()
  const refilled = Math.min(policy.burst, before.tokens + (Math.max(0, elapsedMs) / 1000) * policy.rate)
  const granted = Math.max(0, Math.min(requests, Math.floor(refilled + ROUNDING)))
  const overtaken = elapsedMs < 0 && elapsedMs >= -OVERTAKING_MS
  return { tokens: refilled - granted, at: overtaken ? before.at : now, granted }
}

/**
 * What became of the nth of requests that asked together, counted from 0: the first are granted, and each finds the
 * bucket as if it had asked alone.
 */
export function takenBy(nth: number, { tokens, at, granted }: Taken): { granted: boolean; state: BucketState } {
  return { granted: nth < granted, state: { tokens: tokens + Math.max(0, granted - 1 - nth), at } }
}

/** What a client is told about its bucket. Times in whole seconds, rounded up, so that waiting them out is enough. */
export type Reading = {
  limit: number
  /** Whole tokens left. */
  remaining: number
  /** Seconds an empty bucket needs to be full. */
  window: number
  /** Seconds until the next whole token; 0 when the bucket is full. */
  nextToken: number
  /** Seconds until a request is granted again; 0 when one would be granted now. */
  retryAfter: number
  /** Unix seconds at which the bucket is full. */
  resetAt: number
}

/** Reads a bucket as of its last change. */
export function read(state: BucketState, { rate, burst }: RatePolicy): Reading {
  const remaining = Math.max(0, Math.floor(state.tokens + ROUNDING))
  const secondsUntil = (tokens: number) => Math.max(0, Math.ceil((tokens - state.tokens - ROUNDING) / rate))
  return {
    limit: burst,
    remaining,
    window: Math.ceil(burst / rate),
    nextToken: secondsUntil(Math.min(burst, remaining + 1)),
    retryAfter: secondsUntil(1),
    resetAt: Math.ceil(state.at.getTime() / 1000 + (burst - state.tokens) / rate),
  }
}
