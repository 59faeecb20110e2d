import { firstOf, hasEnded, type Job, type Placefleet, PlacefleetError } from '@placefleet/client'
import { abortable, delay } from '@placefleet/shared/timing'

const POLL_MS = 2_000

/** How far to look back: several coordinators write, so a change may appear after one with a later time. */
const OVERLAP_MS = 10_000

const LATEST_FIRST = { sort: 'updated_at', order: 'desc' } as const

/**
 * Yields each job that ends from now on, once, until the signal aborts. Continues after a temporary failure, and passes
 * it to `onLost`.
 * @throws PlacefleetError when the service refuses the request, and the error of the first request when it gets no
 * response.
 */
export async function* jobEnds(
  { jobs }: Pick<Placefleet, 'jobs'>,
  signal: AbortSignal,
  onLost: (error: unknown) => void,
  pollMs = POLL_MS,
): AsyncGenerator<Job, void> {
  const [latest] = await firstOf(jobs.listBy({ ...LATEST_FIRST, limit: 1 }), 1)
  let after = latest === undefined ? 0 : changedAt(latest)
  let known = new Set<string>()
  for (; !signal.aborted; await delay(pollMs, signal)) {
    const changed = await changedJobs(jobs, after, signal).catch((error) => {
      if (isRefusal(error)) throw error
      if (!signal.aborted) onLost(error)
    })
    if (changed === undefined) continue
    const ended = changed.filter(hasEnded)
    yield* ended.filter(({ id }) => !known.has(id)).reverse()
    known = new Set(ended.map(({ id }) => id))
    after = Math.max(after, ...changed.map((job) => changedAt(job) - OVERLAP_MS))
  }
}

/** Returns the jobs that changed after a time, the latest first. */
async function changedJobs(jobs: Placefleet['jobs'], after: number, signal: AbortSignal): Promise<Job[]> {
  const changed: Job[] = []
  const read = async () => {
    for await (const job of jobs.listBy(LATEST_FIRST)) {
      if (changedAt(job) <= after) break
      changed.push(job)
    }
    return changed
  }
  return abortable(read(), signal)
}

/** In milliseconds. */
const changedAt = ({ updated_at }: Job): number => Date.parse(updated_at)

/** Returns whether a failure is permanent, e.g. because the key was revoked. */
const isRefusal = (error: unknown): boolean =>
  error instanceof PlacefleetError && error.status >= 400 && error.status < 500 && error.status !== 429
