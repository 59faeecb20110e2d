import type { Db } from 'mongodb'
import { dueIndex } from '../mongo/due-work.ts'
import type { ErasureStep } from '../mongo/erasure.ts'
import { using } from '../mongo/indexes.ts'
import { jobsListing } from '../tasks/plan.ts'
import { jobsOf } from './documents.ts'
import { ACTIVE, CLOSED } from './phase.ts'

/** Returns the jobs that have not ended and may store a place again: their searches listed it, or they look at it. */
export async function unendedJobsWith(db: Db, place_key: string): Promise<string[]> {
  const unended = { due_at: { $exists: true }, phase: { $in: [...ACTIVE, 'closing' as const] } }
  const [jobs, probing] = await Promise.all([
    jobsOf(db)
      .find(unended, using(dueIndex('jobs')))
      .project<{ _id: string }>({ _id: 1 })
      .toArray(),
    jobsOf(db)
      .find({ ...unended, 'monitor.probes.place_key': place_key }, using(dueIndex('jobs')))
      .project<{ _id: string }>({ _id: 1 })
      .toArray(),
  ])
  const ids = jobs.map(({ _id }) => _id)
  return [...new Set([...probing.map(({ _id }) => _id), ...(await jobsListing(db, ids, place_key))])]
}

/** Removes a place from those that ended runs of monitors looked at. */
export const probeErasure = (db: Db, place_key: string): ErasureStep => ({
  collection: jobsOf(db).collectionName,
  filter: { 'monitor.probes.place_key': place_key, phase: { $in: CLOSED } },
  update: { $pull: { 'monitor.probes': { place_key } } },
})
