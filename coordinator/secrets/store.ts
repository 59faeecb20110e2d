import type { Db } from 'mongodb'
import { AppError } from '../http/errors.ts'
import { collection, deploymentOf } from '../mongo/connect.ts'
import { isDuplicateKey } from '../mongo/failures.ts'
import { BY_ID } from '../mongo/indexes.ts'
import type { SecretBox } from './secret-box.ts'

/** The key that the secrets of a database are encrypted with, by its id. */
type SecretsKeyDocument = {
  _id: 'secrets_key'
  key_id: string
  /** The id of the next key, while a rotation runs. */
  rotating_to?: string
}

/** A field of a collection that holds encrypted texts, at any depth. */
export type SealedField = { collection: string; field: string }

export const secretsKeyOf = deploymentOf<SecretsKeyDocument>

const KEY = { _id: 'secrets_key' } as const

/**
 * Checks SECRETS_KEY against the key of the database. The first start with a key records its id.
 * @throws Error that says what to do when the key is another one, or is missing although the database has one.
 */
export async function checkSecretsKey(db: Db, { keyId }: SecretBox): Promise<void> {
  const known = await (keyId === undefined ? secretsKeyOf(db).findOne(KEY) : knownKey(db, keyId))
  if (!known) return
  if (known.rotating_to !== undefined) {
    throw new Error('A rotation of SECRETS_KEY is not finished. Run `npm run ops -- secrets rotate` again.')
  }
  if (known.key_id === keyId) return
  const configured = keyId === undefined ? 'SECRETS_KEY is not set' : `SECRETS_KEY is the key ${keyId}`
  throw new Error(
    `${configured}, but the secrets in this database are encrypted with the key ${known.key_id}. ` +
      'Set SECRETS_KEY to that key. `npm start` keeps its key in DATA_DIR/secrets-key: if that file was lost, restore it.',
  )
}

/** Returns the id of the key of a database; undefined when it has none. */
export async function secretsKeyId(db: Db): Promise<string | undefined> {
  return (await secretsKeyOf(db).findOne(KEY))?.key_id
}

/** Returns the recorded key, and records this one when there is none. */
async function knownKey(db: Db, key_id: string) {
  const options = { upsert: true, returnDocument: 'after' } as const
  const record = () => secretsKeyOf(db).findOneAndUpdate(KEY, { $setOnInsert: { key_id } }, options)
  // Two concurrent first starts may both try to insert. The loser reads the winner's key the second time.
  return record().catch((error) => (isDuplicateKey(error) ? record() : Promise.reject(error)))
}

/**
 * Encrypts all secrets with another key. Stop all coordinators first. After a crash, run it again with the same keys:
 * it continues where it stopped. Returns the number of changed documents.
 * @throws AppError `conflict` when `from` is not the key of the database, or another rotation is not finished.
 */
export async function rotateSecretsKey(
  db: Db,
  from: SecretBox,
  to: SecretBox,
  fields: readonly SealedField[],
): Promise<number> {
  const { keyId: key_id = '' } = from
  const { keyId: next = '' } = to
  const known = await knownKey(db, key_id)
  if (known?.key_id === next) return 0
  const free = { ...KEY, key_id, $or: [{ rotating_to: { $exists: false } }, { rotating_to: next }] }
  const started = await secretsKeyOf(db).updateOne(free, { $set: { rotating_to: next } })
  if (started.matchedCount === 0) {
    throw new AppError('conflict', `SECRETS_KEY is the key ${key_id}, but the key of the database is ${known?.key_id}.`)
  }
  let changed = 0
  for (const field of fields) changed += await resealField(db, field, resealer(from, to))
  await secretsKeyOf(db).updateOne({ ...KEY, key_id }, { $set: { key_id: next }, $unset: { rotating_to: '' } })
  return changed
}

type Reseal = (sealed: string) => string

/** Encrypts a text again, unless an earlier run did. */
const resealer =
  (from: SecretBox, to: SecretBox): Reseal =>
  (sealed) =>
    sealed.startsWith(`${to.keyId}.`) ? sealed : to.seal(from.open(sealed))

async function resealField(db: Db, { collection: name, field }: SealedField, reseal: Reseal): Promise<number> {
  const documents = collection<{ _id: string; [field: string]: unknown }>(db, name)
  let changed = 0
  for await (const { _id, ...values } of documents.find(
    { [field]: { $exists: true } },
    { projection: { [field]: 1 }, ...BY_ID }, // reads all
  )) {
    const [path = '', ...rest] = field.split('.')
    const old = rest.reduce<unknown>((value, key) => memberOf(value, key), values[path])
    // The filter contains the old value, so a secret that has changed since then is not overwritten.
    const update = await documents.updateOne({ _id, [field]: old }, { $set: { [field]: resealed(old, reseal) } })
    changed += update.modifiedCount
  }
  return changed
}

const SEALED = /^[0-9a-f]{8}\./

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

/** Returns a value with every encrypted text in it encrypted again. */
function resealed(value: unknown, reseal: Reseal): unknown {
  if (typeof value === 'string') return SEALED.test(value) ? reseal(value) : value
  if (Array.isArray(value)) return value.map((item) => resealed(item, reseal))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resealed(member, reseal)]))
}
