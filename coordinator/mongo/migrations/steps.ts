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
  { id: 2, name: 'due jobs', run: makeJobsDue },
]

/** Earlier versions did not record which SECRETS_KEY they used. Every sealed text begins with the id of its key. */
async function recordSecretsKey(db: Db): Promise<void> {
  const webhook = await collection<{ _id: string; sealed_secret: string }>(db, 'webhooks').findOne()
  const key_id = webhook?.sealed_secret.split('.')[0]
  if (key_id === undefined) return
  const deployment = collection<{ _id: string; key_id: string }>(db, 'deployment')
  await deployment.updateOne({ _id: 'secrets_key' }, { $setOnInsert: { key_id } }, { upsert: true })
}

/** Indexes that earlier versions made and no query uses any more. */
const OBSOLETE: Record<string, readonly string[]> = {
  jobs: ['status_swept', 'status_deadline'],
  tasks: ['user_state', 'state_lease'],
  results: ['user_job_tier', 'user_job'],
}

/**
 * Makes every job with work left due: earlier versions found these jobs by reading all jobs. Marks deleted jobs that
 * still have places, and drops unused indexes. Idempotent.
 */
async function makeJobsDue(db: Db): Promise<void> {
  const jobs = db.collection('jobs')
  const undone = { due_at: { $exists: false }, closed_at: { $exists: false } }
  await jobs.updateMany(undone, [{ $set: { due_at: '$$NOW' } }])
  const unpurged = { deleted_at: { $exists: true }, purged_at: { $exists: false }, unpurged: { $exists: false } }
  await jobs.updateMany(unpurged, [{ $set: { due_at: '$$NOW', unpurged: true } }])
  const tombstones = { due_at: { $exists: false }, purged_at: { $exists: true } }
  await jobs.updateMany(tombstones, [{ $set: { due_at: '$$NOW' } }])
  for (const [name, obsolete] of Object.entries(OBSOLETE)) {
    const existing = await db
      .collection(name)
      .indexes()
      .catch(() => [])
    for (const index of existing) {
      if (index.name !== undefined && obsolete.includes(index.name)) await db.collection(name).dropIndex(index.name)
    }
  }
}
