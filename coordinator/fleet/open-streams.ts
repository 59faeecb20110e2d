import type { Lease } from '../tasks/lease.ts'
import type { Enrolment } from './identities.ts'

/** Why an agent is told to stop (the `reason` of the contract's `Stop`). */
export type StopReason = 'lease_lost' | 'job_ended' | 'revoked' | 'draining'

/** A task stream: its job, what holds the task, the enrolled agent on it if it is one, and how to stop it. */
export type OpenStream = {
  job_id: string
  lease: Lease
  enrolment: Enrolment | undefined
  stop(reason: StopReason): void
}

/** The task streams open on this coordinator, so that what happens elsewhere reaches its agents at once. */
export type OpenStreams = {
  /** Adds a stream; call what it gives when the stream has ended. Once all are stopped, one that comes late is, too. */
  add(stream: OpenStream): () => void
  /** Stops all streams of a job. */
  stop(job_id: string, reason: StopReason): void
  /** The streams that came with the token of an enrolment. */
  of(enrolment: Enrolment): OpenStream[]
  /** Stops all streams, those too that are still being opened. */
  stopAll(reason: StopReason): void
  /** Whose streams are open, one for each stream of an enrolled agent. */
  enrolments(): Enrolment[]
  /** How many streams an enrolled agent has. */
  countOf(name: string): number
  count(): number
}

/** No streams yet. */
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
