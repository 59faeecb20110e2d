import type { Db } from 'mongodb'

/** Indexes that earlier versions made and no query uses any more. */
const OBSOLETE: Record<string, readonly string[]> = {
  jobs: ['status_swept', 'status_deadline'],
  tasks: ['user_state', 'state_lease'],
  results: ['user_job_tier', 'user_job'],
}

/**
 * Makes due every job with work left. Earlier versions found these jobs by reading all of them. Marks deleted jobs whose
 * places are still there, and drops the indexes that are no longer used. Idempotent.
 */
export const dueJobs = {
  id: 2,
  name: 'due jobs',
  async run(db: Db): Promise<void> {
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
  },
}
