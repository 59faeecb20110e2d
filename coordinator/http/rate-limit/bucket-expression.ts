import { OVERTAKING_MS, ROUNDING } from './bucket.ts'

/** A value in a MongoDB aggregation: a literal, a path such as `$paid`, or an operator. */
export type Expression = string | number | Date | { [operator: string]: unknown }

/** A rate policy whose numbers may depend on the document. */
export type PolicyExpression = { rate: Expression; burst: Expression }

/**
 * Expresses `take` of bucket.ts as an aggregation expression, so that one write decides by the database's clock. It
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
