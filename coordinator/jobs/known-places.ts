import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicNow } from '@placefleet/shared/timing'
import { AppError } from '../http/errors.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { DueWorkers } from '../mongo/due-workers.ts'
import type { DueJobs } from './due-jobs.ts'
import type { JobEndHook } from './ended-jobs.ts'

type Jobs = Pick<DueJobs, 'unrecorded' | 'markRecorded'>

/** Returns the hook that makes the places of an ended job known to its user. Those of the simulated city are invented. */
export const recordKnownPlaces =
  (jobs: Jobs, known: Pick<KnownPlaces, 'record'>): JobEndHook =>
  async ({ _id: job_id, user_id, data, places_known }, signal) => {
    if (places_known) return
    if (!data.demo) await known.record({ user_id, job_id, data }, signal)
    await jobs.markRecorded(job_id)
  }

/** The places of 100,000 take longer. Then the client tries again. */
const WAIT_MS = 10_000

const POLL_MS = 20

/**
 * Resolves when the places of all ended jobs of a user are known. Starts what no coordinator does yet.
 * @throws AppError `unavailable` after ten seconds.
 */
export async function whenPlacesKnown(jobs: Jobs, endedJobs: Pick<DueWorkers, 'startOne'>, user_id: string) {
  const until = monotonicNow() + WAIT_MS
  for (let left = await jobs.unrecorded(user_id); left.length > 0; left = await jobs.unrecorded(user_id)) {
    if (monotonicNow() > until) throw stillRecording()
    await Promise.all(left.map((job_id) => endedJobs.startOne(job_id)))
    await sleep(POLL_MS)
  }
}

const stillRecording = () =>
  new AppError('unavailable', 'The places of a job that has just ended are not known yet. Try again in 5 s.', {
    headers: { 'retry-after': '5' },
  })
