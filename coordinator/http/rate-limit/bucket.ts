/** A token bucket: `rate` tokens are added per second, up to `burst`. */
export type RatePolicy = { rate: number; burst: number }

/** The stored state of a bucket. An unused bucket is full and is not stored. */
export type BucketState = { tokens: number; at: Date }

/** A bucket after requests took tokens, and the number of tokens granted. */
export type Taken = BucketState & { granted: number }

/**
 * Two requests may read the clock in one order and reach the bucket in the other. Within this time the later clock
 * value is kept, so no moment refills a bucket twice. A larger step back means the clock was set back; then the earlier
 * value is kept, so the bucket keeps refilling.
 */
export const OVERTAKING_MS = 5_000

/** Tolerance for binary fractions: a token that is short by less counts as whole. */
export const ROUNDING = 1e-9

/**
 * Takes one token for each of `requests` that arrive together. Over any period a bucket grants at most `burst` tokens
 * plus `rate` per second. A rejected request takes nothing. `bucket-expression.ts` is the same rule for MongoDB.
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
 * Returns whether the nth request of a batch was granted, from 0, and the bucket as it was after that request alone.
 * The first requests are granted.
 */
export function takenBy(nth: number, { tokens, at, granted }: Taken): { granted: boolean; state: BucketState } {
  return { granted: nth < granted, state: { tokens: tokens + Math.max(0, granted - 1 - nth), at } }
}

/** The public view of a bucket. Times are in whole seconds, rounded up, so that waiting that long is enough. */
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

/** Returns the public view of a bucket at its last change. */
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
