import type { Db } from 'mongodb'
import { UNJOURNALED } from '../../mongo/connect.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { createSerial } from '../../mongo/locks.ts'
import { windowsOf } from './documents.ts'
import type { Claimed } from './store.ts'

/** Deliveries per hour (SPEC, "Other limits"). */
export type HourlyLimits = { account: number; address: number }

/** The limits that counted a delivery, and the time at which it may continue if a limit is reached. */
export type LimitResult = { counted: readonly string[]; waitUntil: Date | undefined }

export type DeliveryLimits = {
  /** Counts a delivery to an address, or returns the time until which it must wait. */
  take(delivery: Claimed, address: string): Promise<LimitResult>
}

/**
 * Limits deliveries per account and per connected address, under any host name. A delivery counts once for each.
 * Retries do not count, and a delivery that waits for its address has already counted for its account.
 */
export function createDeliveryLimits(db: Db, limits: HourlyLimits): DeliveryLimits {
  const accounts = createHourlyWindow(db, limits.account)
  const addresses = createHourlyWindow(db, limits.address)
  return {
    async take(delivery, address) {
      const counted = [...delivery.counted]
      const checks = [
        { key: `account:${delivery.user_id}`, window: accounts },
        { key: `address:${address}`, window: addresses },
      ]
      for (const { key, window } of checks.filter((check) => !counted.includes(check.key))) {
        const waitUntil = await window.take(key)
        if (waitUntil) return { counted, waitUntil }
        counted.push(key)
      }
      return { counted, waitUntil: undefined }
    },
  }
}

/** A limit per hour and key, counted in the database over all coordinators. */
export type HourlyWindow = {
  /** Takes one from the limit of a key. Returns undefined when granted, else the time at which the window resets. */
  take(key: string): Promise<Date | undefined>
}

const WINDOW_MS = 3_600_000

/** Creates a limit whose hour begins with the first take. `now` is an expression, for tests. */
export function createHourlyWindow(db: Db, limit: number, now: Date | '$$NOW' = '$$NOW'): HourlyWindow {
  const age = { $subtract: [now, { $ifNull: ['$started_at', new Date(0)] }] }
  const use = [
    { $set: { over: { $gte: [age, WINDOW_MS] } } },
    { $set: { started_at: { $cond: ['$over', now, '$started_at'] }, count: { $cond: ['$over', 0, '$count'] } } },
    { $set: { granted: { $lt: ['$count', limit] } } },
    { $set: { count: { $add: ['$count', { $cond: ['$granted', 1, 0] }] } } },
    { $set: { expires_at: { $dateAdd: { startDate: '$started_at', unit: 'millisecond', amount: WINDOW_MS } } } },
    { $unset: 'over' },
  ]
  const options = { upsert: true, returnDocument: 'after', writeConcern: UNJOURNALED } as const
  const once = (_id: string) => windowsOf(db).findOneAndUpdate({ _id }, use, options)
  // Two concurrent first uses may both try to insert. The loser updates the winner's document the second time.
  const onceOrAgain = (key: string) =>
    once(key).catch((error) => (isDuplicateKey(error) ? once(key) : Promise.reject(error)))
  const serial = createSerial()
  return {
    async take(key) {
      const window = await serial(key, () => onceOrAgain(key))
      return window?.granted === false ? window.expires_at : undefined
    },
  }
}
