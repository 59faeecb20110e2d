import { randomBytes, randomInt } from 'node:crypto'
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

const EPOCH = Date.UTC(2026, 0)
const IDS_A_MILLISECOND = 1024

/**
 * Returns the first of `count` consecutive whole numbers above `last` that rise with time and are safe in JSON. Two
 * coordinators may draw the same number in the same millisecond, about once in a hundred such cases. Then the unique
 * index of the ids rejects the second, which draws again.
 * @throws Error when the clock shows a time before 2026: such numbers were given away, and would be refused for ever.
 */
export function timeOrderedNumbers(last: number, count: number, now: number = Date.now()): number {
  if (now < EPOCH) {
    throw new Error(`The clock of this machine shows ${new Date(now).toISOString()}. Set it: ids are made from it.`)
  }
  const free = Math.max(1, IDS_A_MILLISECOND - count)
  return Math.max((now - EPOCH) * IDS_A_MILLISECOND + randomInt(free), last + 1)
}

/** The moment by the database's clock, or by the clock of a test. */
export type Clock = '$$NOW' | (() => Date)

/** Returns the present, as the value of a field in a pipeline. */
export const nowOf = (clock: Clock) => (clock === '$$NOW' ? clock : clock())
