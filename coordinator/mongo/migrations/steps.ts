import type { Db } from 'mongodb'
import { collection } from '../connect.ts'

/**
 * One forward step of the schema. A step is idempotent, since a crash may run it again, and leaves documents that the
 * previous release still understands, since both run side by side during an upgrade.
 */
export type Migration = { id: number; name: string; run(db: Db): Promise<void> }

/** All steps in order. A released step never changes; ids count 1, 2, 3 … */
export const MIGRATIONS: readonly Migration[] = [
  { id: 1, name: 'record the id of the secrets key', run: recordSecretsKey },
]

/** Earlier versions did not record which SECRETS_KEY they used. Every sealed text begins with the id of its key. */
async function recordSecretsKey(db: Db): Promise<void> {
  const webhook = await collection<{ _id: string; sealed_secret: string }>(db, 'webhooks').findOne()
  const key_id = webhook?.sealed_secret.split('.')[0]
  if (key_id === undefined) return
  const deployment = collection<{ _id: string; key_id: string }>(db, 'deployment')
  await deployment.updateOne({ _id: 'secrets_key' }, { $setOnInsert: { key_id } }, { upsert: true })
}
