import { isFinal } from '@placefleet/shared/job-status'
import type { PositionedResult } from '../../results/store.ts'
import type { JobDocument } from '../documents.ts'
import { presentJob } from '../present.ts'
import { type JobWatch, stateOf } from './job-watch.ts'
import type { FollowEvent } from './schema.ts'

/** The longest silence before a heartbeat. Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000

const BATCH = 50

export type FollowDeps = {
  watch: JobWatch
  /** Reads at most `limit` places of the job behind a position, in order. */
  readBehind(job: JobDocument, position: number, limit: number): Promise<PositionedResult[]>
  isStopping(): boolean
}

/** A message to a follower: an event or a heartbeat. */
export type Followed = { event: FollowEvent; cursor: number } | 'heartbeat'

/** Where a stream begins, and how long it lasts. Its job is undefined only once it has begun. */
type FollowStart = { job: JobDocument | undefined; after: number; withPlaces: boolean; lifeMs: number }

/**
 * Follows a job from a position: yields each place behind it once and in order, the progress after each change, and the
 * end. Stops without an `end` event after `lifeMs`, when this coordinator stops, or when the job is deleted. A client
 * that continues from the last cursor, on any coordinator, misses nothing and gets nothing twice. Without places the
 * cursor stays.
 */
export async function* followJob(
  { watch, readBehind, isStopping }: FollowDeps,
  // Reassigned: what a parameter holds stays in memory as long as the stream.
  { job, after: cursor, withPlaces, lifeMs }: FollowStart,
): AsyncGenerator<Followed> {
  const until = performance.now() + lifeMs
  let shown = ''
  while (job) {
    // The totals of a job that goes on may lag behind its places, and those of an ended job are exact. The job is read
    // before its places: no place is stored after a job has ended, so the `end` event follows all places.
    while (withPlaces && job.totals.places > cursor) {
      const places = await readBehind(job, cursor, BATCH)
      for (const { position, result } of places) {
        cursor = position
        yield { event: { type: 'place', position, place: result }, cursor }
      }
      if (places.length < BATCH) break
    }
    const progress = progressOf(job)
    const text = textOf(progress)
    if (text === shown) yield 'heartbeat'
    else yield { event: progress, cursor }
    shown = text
    if (isFinal(job.status)) return yield { event: { type: 'end', status: job.status }, cursor }
    const left = until - performance.now()
    if (left <= 0 || isStopping()) return
    const change = watch.change({ job_id: job._id, state: stateOf(job) }, Math.min(HEARTBEAT_MS, left))
    job = undefined // while it waits, a stream keeps only its state
    job = await change
  }
}

/** Returns what decides whether a progress is news. The likely end moves all the time. */
const textOf = (event: FollowEvent): string =>
  JSON.stringify(event, (name, value) => (name === 'eta' ? undefined : value))

function progressOf(job: JobDocument): FollowEvent {
  const { status, result_count, total_cost, progress, outcomes } = presentJob(job)
  return { type: 'progress', status, result_count, total_cost, progress, outcomes }
}
