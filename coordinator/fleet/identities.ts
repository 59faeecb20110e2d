import type { Collection, Db } from 'mongodb'
import { generateSecret, hashOf, isGenerated } from '../accounts/key-format.ts'
import { AppError } from '../http/errors.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import type { Index } from '../mongo/indexes.ts'

const PREFIX = 'agt_'

/** An agent with its own token. */
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

/** One enrolment of a name, proved by its token. A revoked name can be enrolled again with another token. */
export type Enrolment = { readonly name: string; readonly hash: string }

/** The index that finds an agent by its token and keeps tokens unique. */
export const identityIndexes: readonly Index[] = [
  { collection: 'enrolled_agents', name: 'hash', key: { hash: 1 }, unique: true },
]

/** Returns whether a text has the form of an agent token. Other texts cost no query. */
export const isAgentToken = (text: string): boolean => isGenerated(text, PREFIX)

export type Identities = {
  /**
   * Enrols an agent and returns its token, which is not shown again. The name of a revoked agent can be enrolled again.
   * @throws AppError `conflict` when an agent of this name is enrolled.
   */
  enrol(name: string): Promise<string>
  /** Returns the agent with this token, also when it was revoked; undefined when the token is unknown. */
  findByToken(token: string): Promise<EnrolledAgent | undefined>
  findSome(names: string[]): Promise<EnrolledAgent[]>
  list(): Promise<EnrolledAgent[]>
  /** Starts or stops draining an agent. Returns false when the agent does not exist or was revoked. */
  setDraining(name: string, draining: boolean): Promise<boolean>
  /** Revokes a token. Safe to repeat. Returns false when the agent does not exist. */
  revoke(name: string): Promise<boolean>
}

/** Creates the store of enrolled agents over a database. */
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
    findByToken: async (token) => (await enrolled.findOne({ hash: hashOf(token) })) ?? undefined,
    findSome: (names) => enrolled.find({ _id: { $in: names } }).toArray(),
    list: () => enrolled.find().sort({ _id: 1 }).toArray(),
    setDraining: async (name, draining) =>
      (await enrolled.updateOne(active(name), { $set: { draining } })).matchedCount === 1,
    revoke: async (name) =>
      (await enrolled.updateOne({ _id: name }, [{ $set: { revoked_at: { $ifNull: ['$revoked_at', '$$NOW'] } } }]))
        .matchedCount === 1,
  }
}
