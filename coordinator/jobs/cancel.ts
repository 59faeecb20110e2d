import type { Db } from 'mongodb'
import { type Account, mustBeUnlimited } from '../http/authentication.ts'
import { AppError, orNotFound } from '../http/errors.ts'
import { countEndedJobs } from './counts.ts'
import { jobsOlderThan, type OldJob } from './due-jobs.ts'
import type { JobEngine } from './engine.ts'
import { AFTER_END } from './phase.ts'
import { hideJob } from './phase-moves.ts'
import { findListed } from './user-jobs.ts'

/**
 * Cancels a user's job: a pending job at once, a running job as soon as its agents have stopped. Safe to repeat.
 * @throws AppError `not_found`, or `conflict` when the job is completed or failed.
 */
export async function cancelJob(db: Db, engine: JobEngine, user_id: string, job_id: string): Promise<void> {
  for (;;) {
    const job = orNotFound(await findListed(db, user_id, job_id), 'job')
    const { phase, end } = job
    if (end === 'cancelled') return
    if (end !== undefined && phase !== 'ending') {
      throw new AppError('conflict', `The job is ${end}; only a pending or running job can be cancelled.`)
    }
    if (phase === 'ending') await engine.reconcile(job_id)
    else if (await engine.endEarly(job)) return
    // Its phase has changed in the meantime: it has started, or has ended.
  }
}

/**
 * Deletes a user's job. The job and its places disappear at once; an active job is cancelled first. The ledger keeps
 * the job's cost.
 * @throws AppError `not_found`.
 */
export async function deleteJob(db: Db, engine: JobEngine, user_id: string, job_id: string): Promise<void> {
  for (;;) {
    const job = orNotFound(await findListed(db, user_id, job_id), 'job')
    if (await hide(db, engine, job)) return
  }
}

/**
 * Checks that an account may delete a job. An API key with a spending limit may delete the jobs that it created.
 * @throws AppError `not_found`, `forbidden`.
 */
export async function checkDeletion(db: Db, account: Account, job_id: string): Promise<void> {
  const job = orNotFound(await findListed(db, account.user_id, job_id), 'job')
  if (job.key_id !== account.key_id) mustBeUnlimited(account, 'delete a job that it did not create')
}

/** The most jobs that one run deletes. The next run takes the others. */
const OLD_JOBS = 500

/**
 * Deletes ended jobs that were created more than this many days ago, with their places. Several coordinators may run it
 * at once: each job is deleted by the one that hid it.
 */
export async function deleteOldJobs(db: Db, engine: JobEngine, days: number): Promise<void> {
  for (const job of await jobsOlderThan(db, days, OLD_JOBS)) await hide(db, engine, job)
}

/** Hides a job, then does what its deletion needs now. Returns false when its phase changed in the meantime. */
async function hide(db: Db, engine: JobEngine, job: OldJob): Promise<boolean> {
  if (job.uncounted && AFTER_END.includes(job.phase)) await countEndedJobs(db, job.user_id)
  if (!(await hideJob(db, job))) return false
  await engine.reconcile(job._id)
  return true
}
