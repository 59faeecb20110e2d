import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { isFinal, type JobStatus } from '@placefleet/shared/job-status'
import { every, type Loop } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'

/** What was seen of a job in the database, oldest first: each change of its status once. */
export type Seen = { statuses: { status: JobStatus; at: number }[]; stored?: number; places: number }

const LOOK_EVERY_MS = 150

/** Watches the jobs of a database past all faults: their statuses, and how many places are stored at their end. */
export function watchJobs(db: Db, log: Logger): { jobs: ReadonlyMap<string, Seen>; faults: string[]; loop: Loop } {
  const seen = new Map<string, Seen>()
  const faults: string[] = []
  const over = new Set<string>()
  const look = async () => {
    const fields = { projection: { status: 1, totals: 1 } }
    const found = await jobsOf(db)
      .find({ _id: { $nin: [...over] } }, fields)
      .toArray()
    for (const { _id, status, totals } of found) {
      const job = seen.get(_id) ?? { statuses: [], places: 0 }
      seen.set(_id, job)
      if (totals.places < job.places) faults.push(`job ${_id} had ${job.places} places and has ${totals.places}`)
      job.places = totals.places
      if (job.statuses.at(-1)?.status !== status) job.statuses.push({ status, at: Date.now() })
      if (!isFinal(status)) continue
      job.stored = await resultsOf(db).countDocuments({ job_id: _id, place_key: { $exists: true } })
      over.add(_id)
    }
  }
  return { jobs: seen, faults, loop: every(LOOK_EVERY_MS, 'watching jobs', log, look) }
}
