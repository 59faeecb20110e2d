import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { rotateSecretsKey, secretsKeyOf } from '@placefleet/coordinator/secrets/store'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import type { Operation } from './operation.ts'

type Sealed = { _id: string; secret: string }

const FIELDS = [{ collection: 'sealed_samples', field: 'secret' }]

/** Two secrets under a key, and the keys of two rotations. */
async function twoSecrets(db: Db) {
  const [from, to, other] = [randomBytes(32), randomBytes(32), randomBytes(32)].map(createSecretBox)
  if (!from || !to || !other) return expect.fail('no key')
  const samples = db.collection<Sealed>('sealed_samples')
  await Promise.all([secretsKeyOf(db).deleteMany({}), samples.deleteMany({})])
  await samples.insertMany(['one', 'two'].map((_id) => ({ _id, secret: from.seal(_id) })))
  /** All secrets can be opened with the recorded key, and no rotation is open. */
  const check = async () => {
    const { key_id, rotating_to } = (await secretsKeyOf(db).findOne()) ?? expect.fail('no key is recorded')
    expect(rotating_to).toBeUndefined()
    const box = [from, to, other].find(({ keyId }) => keyId === key_id) ?? expect.fail('an unknown key')
    const opened = (await samples.find().toArray()).map(({ secret }) => box.open(secret))
    expect(opened.toSorted()).toEqual(['one', 'two'])
    return box
  }
  return { from, to, other, check }
}

/** The rotation of the key of a database. Operators run it while no coordinator works. */
export const secretOperations: readonly Operation[] = [
  {
    name: 'secrets/store.ts rotateSecretsKey',
    when: 'of two secrets',
    async begin({ db }) {
      const { from, to, check } = await twoSecrets(db)
      return {
        users: [],
        call: (seen) => rotateSecretsKey(seen, from, to, FIELDS),
        check: async () => expect((await check()).keyId).toBe(to.keyId),
      }
    },
  },
  {
    name: 'secrets/store.ts rotateSecretsKey',
    when: 'while another one rotates to another key',
    notIn: 'crashes',
    async begin({ db }) {
      const { from, to, other, check } = await twoSecrets(db)
      return {
        users: [],
        call: (seen) => rotateSecretsKey(seen, from, to, FIELDS),
        rival: (seen) => rotateSecretsKey(seen, from, other, FIELDS),
        check,
      }
    },
  },
]
