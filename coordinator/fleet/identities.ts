import type { Collection, Db } from 'mongodb'
import { generateSecret, hashOf, isGenerated } from '../accounts/key-format.ts'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import type { Index } from '../mongo/indexes.ts'

const PREFIX = 'agt_'

/** An agent that has a token of its own. */
export type EnrolledAgent = {
  /** Its name, which its token proves. */
  _id: string
  /** SHA-256 of the token in hex. The token itself is stored nowhere. */
  hash: string
  enrolled_at: Date
  /** It takes no new task while true. */
  draining: boolean
  revoked_at?: Date
}

/** What a token proves: a name, and one enrolment of that name, which may be revoked and enrolled again. */
export type Enrolment = { readonly name: string; readonly hash: string }

const HASH_INDEX = 'hash'

/** What the lookup by token, and the names' being unique, rest on. */
export const identityIndexes: readonly Index[] = [
  { collection: 'enrolled_agents', name: HASH_INDEX, key: { hash: 1 }, unique: true },
]

/** Whether a text can be an enrolled agent's token at all, so that garbage costs no query. */
export const isAgentToken = (text: string): boolean => isGenerated(text, PREFIX)

/** The agents that have a token of their own. */
export type Identities = {
  /**
   * Enrols an agent and gives its token, the only time that is known. The name of a revoked one can be enrolled again.
   * @throws AppError `conflict` when an agent of this name is enrolled.
   */
  enrol(name: string): Promise<string>
  /** The agent that has a token; undefined when none has, or when it was revoked. */
  findByToken(token: string): Promise<EnrolledAgent | undefined>
  findSome(names: string[]): Promise<EnrolledAgent[]>
  list(): Promise<EnrolledAgent[]>
  /** Lets an agent take tasks or not. False: there is no such agent, or it was revoked. */
  setDraining(name: string, draining: boolean): Promise<boolean>
  /** Ends a token for good. False: there is no such agent, or it was revoked before. */
  revoke(name: string): Promise<boolean>
}

/** The identities of a database. */
export function createIdentities(db: Db): Identities {
  const enrolled: Collection<EnrolledAgent> = db.collection('enrolled_agents')
  const active = (name: string) => ({ _id: name, revoked_at: { $exists: false } })
  return {
    async enrol(name) {
      const token = generateSecret(PREFIX)
      const document = { _id: name, hash: hashOf(token), enrolled_at: new Date(), draining: false }
      try {
        await enrolled.replaceOne({ _id: name, revoked_at: { $exists: true } }, document, { upsert: true })
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        throw new AppError('conflict', `An agent ${name} is enrolled. Revoke it first, or choose another name.`)
      }
      return token
    },
    findByToken: async (token) =>
      (await enrolled.findOne({ hash: hashOf(token), revoked_at: { $exists: false } })) ?? undefined,
    findSome: (names) => enrolled.find({ _id: { $in: names } }).toArray(),
    list: () => enrolled.find().sort({ _id: 1 }).toArray(),
    setDraining: async (name, draining) =>
      (await enrolled.updateOne(active(name), { $set: { draining } })).matchedCount === 1,
    revoke: async (name) =>
      (await enrolled.updateOne(active(name), { $set: { revoked_at: new Date() } })).matchedCount === 1,
  }
}
