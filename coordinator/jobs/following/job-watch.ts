import { setTimeout as sleep } from 'node:timers/promises'
import type { JobDocument } from '../documents.ts'

const POLL_MS = 500

type Waiter = {
  job_id: string
  state: string
  until: number
  resolve(job: JobDocument | undefined): void
  reject(error: unknown): void
}

/**
 * Reports changes of jobs. One read every half second serves all waiting requests of this coordinator, for any number
 * of jobs.
 */
export type JobWatch = {
  /**
   * Returns the job once its state differs from the given one (`stateOf`), after `timeoutMs`, or when this coordinator
   * stops. Returns undefined when the job is deleted. Changes by all coordinators count.
   * @throws the driver's error when the job cannot be read.
   */
  change(seen: { job_id: string; state: string }, timeoutMs: number): Promise<JobDocument | undefined>
}

type JobWatchDeps = {
  /** Returns the listed jobs with these ids. */
  findListed(job_ids: string[]): Promise<JobDocument[]>
  isStopping(): boolean
}

/** Creates the watch of a coordinator. It reads only while a request waits. */
export function createJobWatch({ findListed, isStopping }: JobWatchDeps): JobWatch {
  const waiters = new Set<Waiter>()
  let reading = false

  const readOnce = async (): Promise<void> => {
    const waiting = [...waiters]
    const documents = await findListed([...new Set(waiting.map(({ job_id }) => job_id))])
    const jobs = new Map(documents.map((job) => [job._id, job]))
    for (const waiter of waiting) {
      const job = jobs.get(waiter.job_id)
      const isOver = isStopping() || performance.now() >= waiter.until
      if (job && !isOver && stateOf(job) === waiter.state) continue
      waiters.delete(waiter)
      waiter.resolve(job)
    }
  }

  const readWhileWaiting = async (): Promise<void> => {
    if (reading) return
    reading = true
    while (waiters.size > 0) {
      const pause = sleep(POLL_MS)
      await readOnce().catch(rejectAll)
      await pause
    }
    reading = false
  }

  const rejectAll = (error: unknown): void => {
    for (const waiter of waiters) waiter.reject(error)
    waiters.clear()
  }

  return {
    change({ job_id, state }, timeoutMs) {
      const { promise, resolve, reject } = Promise.withResolvers<JobDocument | undefined>()
      waiters.add({ job_id, state, until: performance.now() + timeoutMs, resolve, reject })
      void readWhileWaiting()
      return promise
    },
  }
}

/** Returns the part of a job that followers see besides its places. */
export const stateOf = ({ status, totals, progress, outcomes }: JobDocument): string =>
  JSON.stringify([status, totals, progress, outcomes])
