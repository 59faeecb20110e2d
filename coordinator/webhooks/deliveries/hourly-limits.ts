import type { Db } from 'mongodb'
import { changeLimit } from '../../accounts/limits.ts'
import { batched } from '../../mongo/batched.ts'
import type { DeliveryDocument } from './documents.ts'
import type { Waiting } from './store.ts'

/** A limit per hour and key. */
type HourlyWindow = {
  /** Takes one from the limit of a key. Returns undefined when granted, else the time at which the window resets. */
  take(key: string): Promise<Date | undefined>
}

const WINDOW_MS = 3_600_000

/** Creates a limit whose hour begins with the first take. Concurrent takes of a key share one write. `now` is an expression, for tests. */
export function createHourlyWindow(db: Db, limit: number, now: Date | '$$NOW' = '$$NOW'): HourlyWindow {
  const started = { $ifNull: ['$window.started_at', new Date(0)] }
  const isOver = { $gte: [{ $subtract: [now, started] }, WINDOW_MS] }
  const use = (asked: number) => [
    { $set: { window: { $cond: [isOver, { started_at: now, count: 0 }, '$window'] } } },
    { $set: { 'window.granted': { $max: [0, { $min: [asked, { $subtract: [limit, '$window.count'] }] }] } } },
    { $set: { 'window.count': { $add: ['$window.count', '$window.granted'] } } },
    { $set: { expires_at: { $dateAdd: { startDate: '$window.started_at', unit: 'millisecond', amount: WINDOW_MS } } } },
  ]
  const takeOnce = batched<undefined, Date | undefined>(async (key, { length: asked }) => {
    const { window, expires_at } = await changeLimit(db, key, use(asked))
    return (nth) => (nth < (window?.granted ?? 0) ? undefined : expires_at)
  })
  return { take: (key) => takeOnce(key, undefined) }
}

/** Deliveries per hour. */
export type HourlyLimits = { account: number; address: number }

/** A limit that refuses a delivery until a time, and which deliveries wait for it. */
export type ExhaustedLimit = { key: string; until: Date; waiting: Waiting }

/** The limits that counted a delivery so far, and the one that refuses it. */
type LimitResult = { counted: readonly string[]; exhausted?: ExhaustedLimit }

type LimitedDelivery = Pick<DeliveryDocument, 'user_id' | 'queue' | 'by_hand'>

export type DeliveryLimits = {
  ofAccount(delivery: LimitedDelivery & Pick<DeliveryDocument, 'counted'>): Promise<LimitResult>
  ofAddress(delivery: LimitedDelivery, counted: readonly string[], address: string): Promise<LimitResult>
}

/**
 * Two hourly limits: per account, and per address that is connected to. A delivery takes one from each, once: neither a
 * retry nor a wait takes again. Tests and repeats by hand get half of each at most, so that events are not kept
 * waiting.
 */
export function createDeliveryLimits(db: Db, { account, address }: HourlyLimits): DeliveryLimits {
  const accounts = createHalvedWindow(db, 'account', account)
  const addresses = createHalvedWindow(db, 'address', address)
  return {
    ofAccount: ({ user_id, by_hand, counted }) =>
      accounts(user_id, by_hand, counted, (half) => (half ? { user_id, by_hand: true } : { user_id })),
    ofAddress: ({ queue, by_hand }, counted, to) => addresses(to, by_hand, counted, () => ({ queue })),
  }
}

/** Creates a window of which deliveries by hand get half. `waiting`: what waits for the half, or for the whole. */
function createHalvedWindow(db: Db, name: string, limit: number) {
  const whole = createHourlyWindow(db, limit)
  const half = createHourlyWindow(db, Math.max(1, Math.floor(limit / 2)))
  return async (
    of: string,
    by_hand: boolean,
    counted: readonly string[],
    waiting: (half: boolean) => Waiting,
  ): Promise<LimitResult> => {
    const byHand = { window: half, key: `deliveries_by_hand_${name}:${of}`, waiting: waiting(true) }
    const all = { window: whole, key: `deliveries_${name}:${of}`, waiting: waiting(false) }
    const takenFrom = [...counted]
    for (const { window, key, waiting } of by_hand ? [byHand, all] : [all]) {
      if (takenFrom.includes(key)) continue
      const until = await window.take(key)
      if (until) return { counted: takenFrom, exhausted: { key, until, waiting } }
      takenFrom.push(key)
    }
    return { counted: takenFrom }
  }
}
