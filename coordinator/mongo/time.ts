import { randomBytes } from 'node:crypto'
import type { Db, Document } from 'mongodb'

type Unit = 'millisecond' | 'second' | 'hour'

/**
 * Returns a time in the past by the database's clock. Only that clock decides, so the clocks of coordinators may
 * differ. The amount is a whole number or an expression for one.
 */
export const ago = (amount: number | string | Document, unit: Unit) =>
  ({ $dateSubtract: { startDate: '$$NOW', unit, amount } }) as const

/** Returns the time of the database's clock, for what cannot be decided inside of a command. */
export async function databaseTime(db: Db): Promise<Date> {
  // The hello of the embedded engine has no `localTime`.
  const [answer] = await db.aggregate<{ now: Date }>([{ $documents: [{ now: '$$NOW' }] }]).toArray()
  if (!answer) throw new Error('The database did not say its time.')
  return answer.now
}

/** Returns a time in the future by the database's clock. See `ago`. */
export const fromNow = (amount: number | string | Document, unit: Unit) =>
  ({ $dateAdd: { startDate: '$$NOW', unit, amount } }) as const

/**
 * Creates a UUID of version 7 (RFC 9562). Its first 48 bits are the time in milliseconds, so documents created together
 * are close together in an index.
 */
export function timeOrderedUuid(now: number = Date.now()): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The moment by the database's clock, or by the clock of a test. */
export type Clock = '$$NOW' | (() => Date)

/** Returns the present, as the value of a field in a pipeline. */
export const nowOf = (clock: Clock) => (clock === '$$NOW' ? clock : clock())
