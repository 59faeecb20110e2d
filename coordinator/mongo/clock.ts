/**
 * Moments as the database sees them. Time that decides something is its time, so that it does not matter how far the
 * clocks of the coordinators are apart.
 */
export const ago = (milliseconds: number) =>
  ({ $dateSubtract: { startDate: '$$NOW', unit: 'millisecond', amount: milliseconds } }) as const

/** See `ago`. */
export const fromNow = (milliseconds: number) =>
  ({ $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: milliseconds } }) as const
