/** Why an agent is told to stop (the `reason` of the contract's `Stop`). */
export type StopReason = 'lease_lost' | 'job_ended' | 'revoked' | 'draining'

/** A task stream: its job, the enrolled agent on it if it is one, and how to stop it. */
export type OpenStream = { job_id: string; agent: string | undefined; stop(reason: StopReason): void }

/** The task streams open on this coordinator, so that what happens elsewhere reaches its agents at once. */
export type OpenStreams = {
  /** Adds a stream; call what it gives when the stream has ended. Once all are stopped, one that comes late is, too. */
  add(stream: OpenStream): () => void
  /** Stops all streams of a job. */
  stop(job_id: string, reason: StopReason): void
  /** Stops all streams of an enrolled agent. */
  stopAgent(agent: string, reason: StopReason): void
  /** Stops all streams, those too that are still being opened. */
  stopAll(reason: StopReason): void
  /** The enrolled agents that have streams. */
  agents(): string[]
  /** How many streams an enrolled agent has. */
  countOf(agent: string): number
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
    stopAgent(agent, reason) {
      for (const stream of all()) if (stream.agent === agent) stream.stop(reason)
    },
    stopAll(reason) {
      stopped = reason
      for (const stream of all()) stream.stop(reason)
    },
    agents: () => all().flatMap(({ agent }) => agent ?? []),
    countOf: (name) => all().filter(({ agent }) => agent === name).length,
    count: () => all().length,
  }
}
