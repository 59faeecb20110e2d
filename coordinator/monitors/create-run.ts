import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { SpendingLimits } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import type { CreatedJob, JobCreation } from '../jobs/create.ts'
import type { JobDocument } from '../jobs/documents.ts'
import { findByKey } from '../jobs/idempotency.ts'
import { IN_CREATION } from '../jobs/phase.ts'
import { openProxies } from '../jobs/proxies.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { missesBeforeProbe } from './changes/detection.ts'
import { missingPlaces } from './changes/store.ts'
import type { MonitorDocument, RunDocument } from './documents.ts'
import type { AnnouncePause } from './run-end.ts'
import type { RunStore } from './run-store.ts'
import type { MonitorStore } from './store.ts'

export type MonitorDeps = {
  db: Db
  log: Logger
  secrets: SecretBox
  /** Creates a job without a token of the job limiter. */
  createJob(wanted: JobCreation): Promise<CreatedJob>
  announcePause: AnnouncePause
  monitors: MonitorStore
  runs: RunStore
  /** Whether a user pays, and the limits of the key that created the monitor. */
  creatorOf(user_id: string, key_id: string | undefined): Promise<{ paid: boolean; limits: SpendingLimits }>
  concurrentJobs: { free: number; paid: number }
  /** Records the end of a job of a monitor. Safe to repeat. */
  recordRunEnd(job: JobDocument, signal?: AbortSignal): Promise<void>
}

/**
 * Returns the idempotency key of the job of an occurrence. A header cannot contain a line break, so no user can send this
 * key.
 */
export const jobKey = (monitor_id: string, at: Date): string => ['monitor', monitor_id, at.toISOString()].join('\n')

/** Returns the job that was created under a key. Unlike a request of a user, it is the same job for ever. */
export async function createdJob(
  { db }: Pick<MonitorDeps, 'db'>,
  user_id: string,
  key: string,
): Promise<string | undefined> {
  const job = await findByKey(db, user_id, key)
  return job && !IN_CREATION.includes(job.phase) ? job._id : undefined
}

/** Places that one run probes, at most. Each that still exists is billed as one place. */
const MAX_PROBES = 50

/**
 * Creates the job of a run. Returns the existing one if it was created before.
 * @throws the AppErrors of `createJob`.
 */
export async function createRun(
  deps: MonitorDeps,
  { _id: id, user_id }: MonitorDocument,
  { at, began_at = at }: RunDocument,
): Promise<string> {
  const key = jobKey(id, at)
  const created = await createdJob(deps, user_id, key)
  if (created !== undefined) return created
  const stored = orNotFound(await deps.monitors.findWithProxies(id), 'monitor')
  const { source, key_id, job, sealed_proxies } = stored
  const most = Math.min(MAX_PROBES, job.max_results)
  const probes = await missingPlaces(deps.db, id, missesBeforeProbe(stored.misses), most)
  const { paid, limits } = await deps.creatorOf(user_id, key_id)
  const { job_id } = await deps.createJob({
    user_id,
    source,
    paid,
    monitor: { id, at, began_at, ...(probes.length > 0 && { probes }) },
    ...(key_id !== undefined && { key: { id: key_id, limits } }),
    concurrent_jobs: deps.concurrentJobs[paid ? 'paid' : 'free'],
    request: { ...job, proxies: sealed_proxies === undefined ? [] : openProxies(deps.secrets, sealed_proxies) },
    idempotent: { key, fingerprint: 'monitor' },
  })
  return job_id
}
