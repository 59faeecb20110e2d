import type { Document } from 'mongodb'

type Unit = 'millisecond' | 'second' | 'hour'

/**
 * Moments as the database sees them. Time that decides something is its time, so that it does not matter how far the
 * clocks of the coordinators are apart. The amount is a whole number, or an expression that gives one.
 */
export const ago = (amount: number | string | Document, unit: Unit) =>
  ({ $dateSubtract: { startDate: '$$NOW', unit, amount } }) as const

/** See `ago`. */
export const fromNow = (amount: number | string | Document, unit: Unit) =>
  ({ $dateAdd: { startDate: '$$NOW', unit, amount } }) as const
