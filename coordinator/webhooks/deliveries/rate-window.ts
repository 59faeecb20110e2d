import type { Collection, Db } from 'mongodb'
import { collection } from '../../mongo/connect.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { createSerial } from '../../mongo/serial.ts'

/** What was granted to one account or address since its window began. */
type WindowDocument = { _id: string; started_at: Date; count: number; granted: boolean; expires_at: Date }

const windowsOf = (db: Db): Collection<WindowDocument> => collection(db, 'webhook_windows')

/** A limit of so many an hour for each key, counted by the database over all coordinators. */
export type RateWindow = {
  /** Takes one of a key's share. Undefined: it was granted; else when the window resets. */
  take(key: string): Promise<Date | undefined>
}

const WINDOW_MS = 3_600_000

// Losing the last counts in a crash lets a few more through; waiting for the journal would slow every delivery.
const UNJOURNALED = { w: 1, j: false } as const

/** Windows of an hour, each of which begins with the first that is taken. `now` is an expression, for tests. */
export function createRateWindow(db: Db, limit: number, now: Date | '$$NOW' = '$$NOW'): RateWindow {
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
  // Two first uses at once may both try to insert: the loser finds the winner's the second time.
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
