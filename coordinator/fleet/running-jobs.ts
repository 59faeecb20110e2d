import { LRUCache } from 'lru-cache'
import type { JobDocument } from '../jobs/documents.ts'
import type { JobEngine } from '../jobs/engine.ts'

/**
 * Returns the job of a claimed task while the job runs, at most five seconds old. The first claim of a job starts it.
 * Undefined: the job does not run.
 */
export type RunningJobs = (job_id: string) => Promise<JobDocument | undefined>

type FindJob = (job_id: string) => Promise<JobDocument | undefined>

/**
 * How long a job is remembered. A fleet claims many tasks of one job in this time. A job that ends first cancels its
 * tasks, so none can be claimed any more, and then stops its running tasks.
 */
const REMEMBERED_MS = 5_000

const MAX_JOBS = 1_000

/** Creates the running jobs of a coordinator. Claims of one job at the same time read it once. */
export function createRunningJobs(find: FindJob, engine: Pick<JobEngine, 'start'>): RunningJobs {
  const readRunning = async (job_id: string): Promise<JobDocument | undefined> => {
    const job = await find(job_id)
    const current = job?.phase === 'pending' ? ((await engine.start(job)) ?? (await find(job_id))) : job
    return current?.phase === 'running' ? current : undefined
  }
  const remembered = new LRUCache<string, JobDocument>({ max: MAX_JOBS, ttl: REMEMBERED_MS, fetchMethod: readRunning })
  return (job_id) => remembered.fetch(job_id)
}
