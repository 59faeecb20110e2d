/** Why an agent is told to stop (the `reason` of the contract's `Stop`). */
export type StopReason = 'cap_reached' | 'cancelled' | 'timeout' | 'lease_lost' | 'job_ended' | 'draining'

type Stop = (reason: StopReason) => void

/** The task streams open on this coordinator, by job, so that a job's end reaches its agents at once. */
export type OpenStreams = {
  /** Adds a stream; call what it gives when the stream has ended. */
  add(job_id: string, stop: Stop): () => void
  /** Stops all streams of a job. */
  stop(job_id: string, reason: StopReason): void
  count(): number
}

/** No streams yet. */
export function createOpenStreams(): OpenStreams {
  const byJob = new Map<string, Set<Stop>>()
  return {
    add(job_id, stop) {
      const streams = byJob.get(job_id) ?? new Set()
      byJob.set(job_id, streams.add(stop))
      return () => {
        streams.delete(stop)
        if (streams.size === 0 && byJob.get(job_id) === streams) byJob.delete(job_id)
      }
    },
    stop(job_id, reason) {
      for (const stop of byJob.get(job_id) ?? []) stop(reason)
    },
    count: () => [...byJob.values()].reduce((sum, streams) => sum + streams.size, 0),
  }
}
