import { OVERTAKING_MS, ROUNDING } from './bucket.ts'

/** A value in a MongoDB aggregation: a literal, a path like `$paid`, or an operator. */
export type Expression = string | number | Date | { [operator: string]: unknown }

/** A policy whose numbers may depend on the document. */
export type PolicyExpression = { rate: Expression; burst: Expression }

/**
 * The value of a bucket's field after one request asked for a token: `take` of bucket.ts as a pipeline expression, so
 * that the decision is one write with the database's clock. Stored as `{ tokens, at, granted }`.
 */
export function takeExpression(field: `$${string}`, policy: PolicyExpression, now: Expression = '$$NOW') {
  const times = { at: { $ifNull: [`${field}.at`, now] }, tokens: { $ifNull: [`${field}.tokens`, policy.burst] } }
  const elapsed = { elapsedMs: { $subtract: [now, '$$at'] } }
  const growth = { $multiply: [{ $divide: [{ $max: [0, '$$elapsedMs'] }, 1000] }, policy.rate] }
  const refilled = { refilled: { $min: [policy.burst, { $add: ['$$tokens', growth] }] } }
  const granted = { $gte: ['$$refilled', 1 - ROUNDING] }
  const overtaken = { $and: [{ $lt: ['$$elapsedMs', 0] }, { $gte: ['$$elapsedMs', -OVERTAKING_MS] }] }
  const after = {
    tokens: { $cond: [granted, { $subtract: ['$$refilled', 1] }, '$$refilled'] },
    at: { $cond: [overtaken, '$$at', now] },
    granted,
  }
  return within(times, within(elapsed, within(refilled, after)))
}

const within = (vars: Record<string, unknown>, value: unknown) => ({ $let: { vars, in: value } })
