import { randomBytes, randomInt } from 'node:crypto'
import type { Db } from 'mongodb'
import { hashOf } from '../../accounts/key-format.ts'
import { createApiKey } from '../../accounts/store.ts'
import { AppError } from '../../http/errors.ts'
import { isDuplicateKey } from '../../mongo/failures.ts'
import { fromNow } from '../../mongo/time.ts'
import { type DeviceLoginDocument, deviceLoginsOf, signInsBy } from '../documents.ts'

/** How long a person has to let a program in. */
export const LOGIN_SECONDS = 600

/** No vowels, so that no words arise, and nothing that looks like a digit (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** A pairing code: 20^8 possibilities. */
export const USER_CODE = new RegExp(`^[${LETTERS}]{4}-[${LETTERS}]{4}$`)

/** A login just begun. The device code is the program's secret; the pairing code is shown to the person. */
type NewDeviceLogin = { device_code: string; user_code: string }

/** What a program says of itself, and what its connection shows. */
type Program = Pick<DeviceLoginDocument, 'client_name' | 'client_address' | 'authorization'>

/** Begins the login of a program. It expires after ten minutes. */
export async function beginDeviceLogin(db: Db, program: Program): Promise<NewDeviceLogin> {
  const device_code = randomBytes(32).toString('base64url')
  const user_code = randomUserCode()
  const { client_name, client_address, authorization } = program
  const times = { created_at: '$$NOW', expires_at: fromNow(LOGIN_SECONDS, 'second') }
  const asked = authorization && { authorization: { $literal: authorization } }
  const login = { user_code, client_address, client_name: { $literal: client_name }, ...asked, ...times }
  try {
    await deviceLoginsOf(db).updateOne({ _id: hashOf(device_code), kind: 'device' }, [{ $set: login }], {
      upsert: true,
    })
    return { device_code, user_code }
  } catch (error) {
    if (isDuplicateKey(error, signInsBy.user_code)) return beginDeviceLogin(db, program) // another has this pairing code
    throw error
  }
}

const LIVE = { $expr: { $gt: ['$expires_at', '$$NOW'] } }
const UNDECIDED = { ...LIVE, decision: { $exists: false } }

/** Returns the login with a pairing code that waits for a decision. */
export async function findDeviceLogin(db: Db, user_code: string): Promise<DeviceLoginDocument | undefined> {
  return (await deviceLoginsOf(db).findOne({ user_code, ...UNDECIDED })) ?? undefined
}

/** Lets a program in as a user, or turns it away. Returns false when no login with this pairing code waits. */
export async function decideDeviceLogin(
  db: Db,
  user_code: string,
  decision: { user_id: string; approved: boolean },
): Promise<boolean> {
  const decided = await deviceLoginsOf(db).updateOne({ user_code, ...UNDECIDED }, { $set: { decision } })
  return decided.modifiedCount === 1
}

/** What became of a login: whom the program is let in as, or why it is not. */
type DeviceLoginOutcome =
  | { state: 'approved'; user_id: string; login: DeviceLoginDocument }
  | { state: 'pending' | 'denied' | 'expired' }

/** Redeems a decided login, once. Of concurrent calls one gets the decision; the others find it expired. */
export async function redeemDeviceLogin(db: Db, device_code: string): Promise<DeviceLoginOutcome> {
  const asking = { _id: hashOf(device_code), kind: 'device', ...LIVE } as const
  const login = await deviceLoginsOf(db).findOneAndDelete({ ...asking, decision: { $exists: true } })
  if (!login?.decision) return { state: (await deviceLoginsOf(db).findOne(asking)) ? 'pending' : 'expired' }
  const { decision } = login
  return decision.approved ? { state: 'approved', user_id: decision.user_id, login } : { state: 'denied' }
}

/** Returns the login with a pairing code that was decided and not redeemed yet. */
export async function findDecidedLogin(db: Db, user_code: string): Promise<DeviceLoginDocument | undefined> {
  return (await deviceLoginsOf(db).findOne({ user_code, ...LIVE, decision: { $exists: true } })) ?? undefined
}

/** Uses up an approved login. Of concurrent calls one gets it. */
export async function takeApprovedLogin(db: Db, _id: string): Promise<DeviceLoginDocument | undefined> {
  const approved = { _id, kind: 'device', ...LIVE, 'decision.approved': true } as const
  return (await deviceLoginsOf(db).findOneAndDelete(approved)) ?? undefined
}

/** Puts back a login that was redeemed without getting a key, so that its program may ask again until it expires. */
async function putBackDeviceLogin(db: Db, login: DeviceLoginDocument): Promise<void> {
  await deviceLoginsOf(db).insertOne(login)
}

function randomUserCode(): string {
  const four = () => Array.from({ length: 4 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return `${four()}-${four()}`
}

/**
 * Creates the key of an approved login. @throws AppError `conflict` with ten active keys; the login may be redeemed
 * later.
 */
export async function keyFor(
  db: Db,
  { user_id, login }: { user_id: string; login: DeviceLoginDocument },
): Promise<string> {
  try {
    const { key } = await createApiKey(db, user_id, { name: login.client_name, paired: true })
    return key
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') await putBackDeviceLogin(db, login)
    throw error
  }
}
