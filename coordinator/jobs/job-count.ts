import { JOB_STATUSES, type JobStatus } from '@placefleet/shared/job-status'
import { LRUCache } from 'lru-cache'
import type { Collection } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { type JobDocument, jobsBy } from './documents.ts'

/** Counting 10,000 jobs takes the database 5 ms, so the number of more jobs than this is kept for a while. */
const MANY_JOBS = 1_000
const KEPT_MS = 10_000
const MAX_KEPT = 1_000

/**
 * The number of a user's listed jobs, of all statuses or of one. It is exact up to 1,000 jobs. A larger one may lack the
 * changes of the last ten seconds.
 */
export type JobCount = {
  of(user_id: string, status?: JobStatus): Promise<number>
  /** Forgets the numbers. Call it after every write that lists or hides a job of the user. */
  changed(user_id: string): void
}

/** Creates the job count of one coordinator. */
export function createJobCount(jobs: Collection<JobDocument>): JobCount {
  const kept = new LRUCache<string, number>({ max: MAX_KEPT, ttl: KEPT_MS })
  let changes = 0
  return {
    async of(user_id, status) {
      const known = kept.get(keyOf(user_id, status))
      if (known !== undefined) return known
      const before = changes
      const chosen = { user_id, listed: true, ...(status && { status }) }
      const counted = await jobs.countDocuments(
        chosen,
        using(status ? jobsBy.user_status_created : jobsBy.user_created),
      )
      // A count that ran beside a change may lack it.
      if (counted > MANY_JOBS && changes === before) kept.set(keyOf(user_id, status), counted)
      return counted
    },
    changed(user_id) {
      changes += 1
      for (const status of [undefined, ...JOB_STATUSES]) kept.delete(keyOf(user_id, status))
    },
  }
}

const keyOf = (user_id: string, status: JobStatus | undefined): string => `${user_id} ${status ?? ''}`
