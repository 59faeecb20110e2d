import type { Db } from 'mongodb'
import { isDuplicateKey } from '../mongo/failures.ts'
import { using } from '../mongo/indexes.ts'
import { timeOrderedUuid } from '../mongo/time.ts'
import { type Identity, type UserDocument, usersBy, usersOf } from './documents.ts'

/** Returns the user with an identity at a provider. */
export async function findByIdentity(db: Db, { issuer, subject }: Identity): Promise<UserDocument | undefined> {
  const filter = { identity: { $exists: true }, 'identity.issuer': issuer, 'identity.subject': subject }
  return (await usersOf(db).findOne(filter, using(usersBy.identity))) ?? undefined
}

/** Links a user who has no identity. Undefined: the user has one. */
export async function linkIdentity(db: Db, user_id: string, identity: Identity): Promise<UserDocument | undefined> {
  const unlinked = { _id: user_id, identity: { $exists: false } }
  const linked = await usersOf(db).findOneAndUpdate(unlinked, { $set: { identity } }, { returnDocument: 'after' })
  return linked ?? undefined
}

/** Creates the user of a person at a provider. Undefined: the email or the identity has one already. */
export async function createPerson(
  db: Db,
  person: Required<Pick<UserDocument, 'email' | 'identity'>> & Pick<UserDocument, 'signup_bonus'>,
): Promise<UserDocument | undefined> {
  const user = { _id: timeOrderedUuid(), ...person, created_at: new Date(), paid: false }
  try {
    await usersOf(db).insertOne(user)
    return user
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    return undefined
  }
}

/** Notes that the bonus of a user's sign-up is in the ledger. */
export async function forgetSignupBonus(db: Db, user_id: string): Promise<void> {
  await usersOf(db).updateOne({ _id: user_id }, { $unset: { signup_bonus: true } })
}

export async function emailsOf(db: Db, user_ids: readonly string[]): Promise<Map<string, string>> {
  const users = await usersOf(db)
    .find({ _id: { $in: [...user_ids] } })
    .toArray()
  return new Map(users.map(({ _id, email }) => [_id, email]))
}
