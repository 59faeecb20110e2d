import type { Db } from 'mongodb'
import { UNJOURNALED } from '../../mongo/connect.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { createSerial } from '../../mongo/locks.ts'
import type { DeliveryDocument } from './documents.ts'
import { windowsOf } from './documents.ts'

/** Deliveries per hour. */
export type HourlyLimits = { account: number; address: number }

/** One of the limits of a delivery: its key, what counted the delivery so far, and how long it waits if exhausted. */
export type LimitResult = { key: string; counted: readonly string[]; waitUntil: Date | undefined }

export type DeliveryLimits = {
  /** Counts a delivery for its account. */
  ofAccount(delivery: Pick<DeliveryDocument, 'user_id' | 'counted'>): Promise<LimitResult>
  /** Counts a delivery for the address that it goes to. */
  ofAddress(counted: readonly string[], address: string): Promise<LimitResult>
}

/**
 * Limits deliveries per account and per connected address, under any host name. A delivery counts once for each.
 * Retries do not count, and a delivery that waits for its address has already counted for its account.
 */
export function createDeliveryLimits(db: Db, limits: HourlyLimits): DeliveryLimits {
  const accounts = createHourlyWindow(db, limits.account)
  const addresses = createHourlyWindow(db, limits.address)
  const once = async (window: HourlyWindow, key: string, counted: readonly string[]): Promise<LimitResult> => {
    if (counted.includes(key)) return { key, counted, waitUntil: undefined }
    const waitUntil = await window.take(key)
    return { key, counted: waitUntil ? counted : [...counted, key], waitUntil }
  }
  return {
    ofAccount: ({ user_id, counted }) => once(accounts, `account:${user_id}`, counted),
    ofAddress: (counted, address) => once(addresses, `address:${address}`, counted),
  }
}

/** A limit per hour and key, counted in the database over all coordinators. */
type HourlyWindow = {
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
