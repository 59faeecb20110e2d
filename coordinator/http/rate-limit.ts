import { createCache } from '../cache.ts'
import { networkOf } from './addresses.ts'
import { AppError } from './errors.ts'

/** A token bucket: `rate` tokens are added per second, up to `burst`. */
export type RatePolicy = { rate: number; burst: number }

/** The stored state of a bucket. An unused bucket is full and is not stored. */
type BucketState = { tokens: number; at: Date }

/** A bucket after requests took tokens, and the number of tokens granted. */
export type Taken = BucketState & { granted: number }

/**
 * Requests can arrive out of order by up to this much. A smaller step back keeps the later time, so nothing is refilled
 * twice; a larger one means that the clock was set back, and the bucket goes on from the earlier time.
 */
export const OVERTAKING_MS = 5_000

/** Tolerance for binary fractions: a token that is short by less counts as whole. */
export const ROUNDING = 1e-9

/**
 * Takes one token for each of `requests` that arrive together. Over any period a bucket grants at most `burst` tokens
 * plus `rate` per second. A rejected request takes nothing. `takeExpression` is the same rule for MongoDB.
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

/** A value in a MongoDB aggregation: a literal, a path such as `$paid`, or an operator. */
type Expression = string | number | Date | { [operator: string]: unknown }

/** A rate policy whose numbers may depend on the document. */
type PolicyExpression = { rate: Expression; burst: Expression }

/**
 * Expresses `take` as an aggregation expression, so that one write decides by the database's clock. It
 * yields the new value of the bucket field, `{ tokens, at, granted }`.
 */
export function takeExpression(
  field: `$${string}`,
  policy: PolicyExpression,
  { requests = 1, now = '$$NOW' }: { requests?: number; now?: Expression } = {},
) {
  const times = { at: { $ifNull: [`${field}.at`, now] }, tokens: { $ifNull: [`${field}.tokens`, policy.burst] } }
  const elapsed = { elapsedMs: { $subtract: [now, '$$at'] } }
  const growth = { $multiply: [{ $divide: [{ $max: [0, '$$elapsedMs'] }, 1000] }, policy.rate] }
  const refilled = { refilled: { $min: [policy.burst, { $add: ['$$tokens', growth] }] } }
  const whole = { $floor: { $add: ['$$refilled', ROUNDING] } }
  const granted = { granted: { $max: [0, { $min: [requests, whole] }] } }
  const overtaken = { $and: [{ $lt: ['$$elapsedMs', 0] }, { $gte: ['$$elapsedMs', -OVERTAKING_MS] }] }
  const after = {
    tokens: { $subtract: ['$$refilled', '$$granted'] },
    at: { $cond: [overtaken, '$$at', now] },
    granted: '$$granted',
  }
  return within(times, within(elapsed, within(refilled, within(granted, after))))
}

const within = (vars: Record<string, unknown>, value: unknown) => ({ $let: { vars, in: value } })

/** Returns the headers that describe a token bucket, with names in lower case. */
export function rateLimitHeaders(reading: Reading): Record<string, string> {
  return {
    'ratelimit-policy': `api;q=${reading.limit};w=${reading.window}`,
    ratelimit: `api;r=${reading.remaining};t=${reading.nextToken}`,
    'x-ratelimit-limit': String(reading.limit),
    'x-ratelimit-remaining': String(reading.remaining),
    'x-ratelimit-reset': String(reading.resetAt),
  }
}

/**
 * Returns the headers of a 429 with another cause than the bucket: nothing remains for `seconds`.
 */
export const retryAfterHeaders = (seconds: number): Record<string, string> => ({
  ratelimit: `api;r=0;t=${seconds}`,
  'x-ratelimit-remaining': '0',
  'retry-after': String(seconds),
})

/** Returns the error of a request that its bucket rejected, with the headers of the bucket and the time to wait. */
export function rateLimited(reading: Reading, what: string): AppError {
  const seconds = Math.max(1, reading.retryAfter)
  const headers = { ...rateLimitHeaders(reading), 'retry-after': String(seconds) }
  return new AppError('rate_limited', `Too many ${what}. Try again in ${seconds} s.`, { headers })
}

/** Limits requests without an account, by client address. */
export type AddressLimit = {
  take(address: string, now?: Date): { granted: boolean; reading: Reading }
  /** Whether an address has no token left. Takes none. */
  isExhausted(address: string, now?: Date): boolean
}

/** Each remembered address takes about 200 bytes. */
const MAX_ADDRESSES = 50_000

/**
 * Keeps the buckets in memory, so a request without a valid credential costs no query. Each replica counts for itself.
 * When the table is full, the address that was idle longest is dropped; by then its bucket has refilled.
 */
export function createAddressLimit(policy: RatePolicy): AddressLimit {
  const buckets = createCache<BucketState>(MAX_ADDRESSES)
  return {
    take(address, now = new Date()) {
      const network = networkOf(address)
      const { granted, ...state } = take(buckets.get(network), policy, now)
      buckets.set(network, state)
      return { granted: granted === 1, reading: read(state, policy) }
    },
    isExhausted: (address, now = new Date()) => take(buckets.get(networkOf(address)), policy, now).granted === 0,
  }
}
