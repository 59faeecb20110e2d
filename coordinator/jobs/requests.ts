import type { AllowHosts } from '@placefleet/shared/egress/target'
import { type Job, type SentJobRequest, withLimits } from '@placefleet/shared/job'
import { isFinal } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import type { Account } from '../http/authentication.ts'
import { orNotFound } from '../http/errors.ts'
import { type TownNear, withCentre } from '../towns/near.ts'
import { type CreateJobDeps, createJob } from './create.ts'
import type { JobDocument } from './documents.ts'
import { type JobWatch, stateOf } from './following/job-watch.ts'
import type { IdempotentRequest } from './idempotency.ts'
import { presentJob } from './present.ts'
import { readProxies } from './proxies.ts'
import { findListed, findOwn, type JobPage, pageOfUser } from './user-jobs.ts'

// What users may ask of their jobs, for the routes and for the tools of `mcp/` alike.

/** What creates jobs for accounts. */
export type AccountJobDeps = CreateJobDeps & {
  concurrentJobs: { free: number; paid: number }
  allowHosts: AllowHosts
  townNear: TownNear
}

/** A request for a list of jobs. `after`: only those behind the job with this id. */
type ListRequest = Omit<JobPage, 'after'> & { after?: string | undefined }

/** What shows jobs to their users. */
export type JobReads = {
  db: Db
  watch: JobWatch
  /** Counts a request of a user that waits. Returns the function that ends the count. */
  openWait(user_id: string): Promise<() => Promise<void>>
  isStopping(): boolean
}

/**
 * Creates a job on behalf of an account, within its limits.
 * @throws the errors of `createJob`, and AppError `bad_request` for a proxy that is not allowed, or a `near` that does
 * not name one town.
 */
export async function createJobFor(
  deps: AccountJobDeps,
  { user_id, source, paid, key_id, limits = {} }: Account,
  request: SentJobRequest,
  idempotent?: IdempotentRequest,
) {
  const proxies = readProxies(request.proxies, deps.allowHosts)
  const key = key_id === undefined ? undefined : { id: key_id, limits }
  const creator = { user_id, source, paid, key, concurrent_jobs: deps.concurrentJobs[paid ? 'paid' : 'free'] }
  return createJob(deps, {
    ...creator,
    request: { ...withLimits(await withCentre(deps.townNear, request)), proxies },
    ...(idempotent && { idempotent }),
  })
}

/**
 * Returns a page of a user's jobs as the API shows them, or the jobs behind the one with the id `after`; how many jobs
 * are on all pages, and whether others follow.
 * @throws AppError `not_found` when there is no job with that id.
 */
export async function pageOfJobs({ db }: JobReads, user_id: string, { after, ...page }: ListRequest) {
  const last = after === undefined ? undefined : orNotFound(await findOwn(db, user_id, after), 'job', after)
  const list = await pageOfUser(db, user_id, { ...page, after: last })
  return { ...list, jobs: list.jobs.map(presentJob) }
}

/**
 * Returns a user's job as the API shows it, when its status has changed or after this many seconds; 0: at once.
 * @throws AppError `not_found`, also when it was deleted meanwhile; `rate_limited` when too many requests of the user
 * wait.
 */
export async function jobAfter(deps: JobReads, user_id: string, job_id: string, seconds: number): Promise<Job> {
  const job = orNotFound(await findListed(deps.db, user_id, job_id), 'job')
  if (seconds === 0 || isFinal(job.status)) return presentJob(job)
  const close = await deps.openWait(user_id)
  try {
    return presentJob(orNotFound(await waitForStatus(deps, job, seconds), 'job'))
  } finally {
    await close()
  }
}

/**
 * Waits until the status of a job changes, at most this many seconds.
 * @returns the job after that; undefined when it was deleted.
 */
async function waitForStatus(
  { watch, isStopping }: JobReads,
  job: JobDocument,
  seconds: number,
): Promise<JobDocument | undefined> {
  const until = performance.now() + seconds * 1_000
  let now: JobDocument | undefined = job
  while (now && now.status === job.status && !isFinal(now.status) && !isStopping()) {
    const left = until - performance.now()
    if (left <= 0) return now
    now = await watch.change({ job_id: now._id, state: stateOf(now) }, left)
  }
  return now
}
