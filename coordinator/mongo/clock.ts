import type { Document } from 'mongodb'

type Unit = 'millisecond' | 'second' | 'hour'

/**
 * A moment in the past by the database's clock. Only that clock decides, so the clocks of coordinators may differ. The
 * amount is a whole number, or an expression that gives one.
 */
export const ago = (amount: number | string | Document, unit: Unit) =>
  ({ $dateSubtract: { startDate: '$$NOW', unit, amount } }) as const

/** A moment in the future by the database's clock. See `ago`. */
export const fromNow = (amount: number | string | Document, unit: Unit) =>
  ({ $dateAdd: { startDate: '$$NOW', unit, amount } }) as const
