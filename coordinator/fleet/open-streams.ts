import type { Lease } from '../tasks/lease.ts'
import type { Enrolment } from './identities.ts'

/** Why an agent is told to stop (the `reason` of the contract's `Stop`). */
export type StopReason = 'lease_lost' | 'job_ended' | 'revoked' | 'draining'

/** An open task stream: its job, its lease, its enrolled agent if any, and the function that stops it. */
type OpenStream = {
  job_id: string
  lease: Lease
  enrolment: Enrolment | undefined
  stop(reason: StopReason): void
  /** Makes the stream check its lease before it stores anything more. */
  markUnsure(): void
}

/** The task streams open on this coordinator, so that events elsewhere reach their agents at once. */
export type OpenStreams = {
  /** Adds a stream. Returns the function that removes it. After `stopAll`, stops a new stream at once. */
  add(stream: OpenStream): () => void
  /** Makes the other streams of a task check their leases, because the task was granted to this stream. */
  granted(job_id: string, lease: Lease): void
  stop(job_id: string, reason: StopReason): void
  /** Returns the streams that were opened with the token of an enrolment. */
  of(enrolment: Enrolment): OpenStream[]
  /** Stops all streams, and every stream that opens later. */
  stopAll(reason: StopReason): void
  /** Returns the enrolments of all open streams, one for each stream. */
  enrolments(): Enrolment[]
  /** Counts the streams of an enrolled agent. */
  countOf(name: string): number
  count(): number
}

/** Creates an empty list of task streams. */
export function createOpenStreams(): OpenStreams {
  const byJob = new Map<string, Set<OpenStream>>()
  let stopped: StopReason | undefined
  const all = () => [...byJob.values()].flatMap((streams) => [...streams])
  return {
    add(stream) {
      const streams = byJob.get(stream.job_id) ?? new Set()
      byJob.set(stream.job_id, streams.add(stream))
      if (stopped) stream.stop(stopped)
      return () => {
        streams.delete(stream)
        if (streams.size === 0 && byJob.get(stream.job_id) === streams) byJob.delete(stream.job_id)
      }
    },
    granted(job_id, { task_id, stream }) {
      for (const { lease, markUnsure } of byJob.get(job_id) ?? []) {
        if (lease.task_id === task_id && lease.stream !== stream) markUnsure()
      }
    },
    stop(job_id, reason) {
      for (const stream of byJob.get(job_id) ?? []) stream.stop(reason)
    },
    of: ({ hash }) => all().filter(({ enrolment }) => enrolment?.hash === hash),
    stopAll(reason) {
      stopped = reason
      for (const stream of all()) stream.stop(reason)
    },
    enrolments: () => all().flatMap(({ enrolment }) => enrolment ?? []),
    countOf: (name) => all().filter(({ enrolment }) => enrolment?.name === name).length,
    count: () => all().length,
  }
}
