import type { Logger } from '@placefleet/shared/log'
import { traced } from '@placefleet/shared/tracing'
import type { Db } from 'mongodb'
import type { Holds } from '../billing/ledger/holds.ts'
import { costWith } from '../billing/prices/cost.ts'
import { estimateArea } from '../coverage/exhaustion.ts'
import { mappedCells } from '../coverage/store.ts'
import type { ResultAppender } from '../results/append.ts'
import type { References } from '../tasks/plan.ts'
import { cancelTasks, taskSummary } from '../tasks/store.ts'
import type { JobDocument } from './documents.ts'
import { decidedEnd, endGivenPlaces } from './job-end.ts'
import { moveJob } from './phase-moves.ts'
import { searchedArea } from './search-on.ts'

export type FinishDeps = {
  db: Db
  log: Logger
  references: Pick<References, 'count'>
  results: Pick<ResultAppender, 'seal'>
  holds: Pick<Holds, 'settle' | 'of'>
  /** Announces to all coordinators that a job takes no more places, so that they stop its agents. */
  announceEnd(job_id: string): void
  followEnd(job_id: string): void
}

/**
 * Ends a job whose end is decided: seals its results, bills them, then stores its final status and figures. Every step
 * is safe to repeat. The seal comes first: after it the totals cannot change, so billing can be repeated. A job is
 * never seen as ended before it is billed.
 */
export const finish = (deps: FinishDeps, job: JobDocument): Promise<void> =>
  traced('end job', { parent: job.traceparent, attributes: { job_id: job._id } }, () => finishTraced(deps, job))

async function finishTraced(deps: FinishDeps, job: JobDocument): Promise<void> {
  const { db, results, holds } = deps
  const { _id: job_id, user_id, name: job_name } = job
  await cancelTasks(db, job_id)
  deps.announceEnd(job_id)
  const totals = await results.seal(job_id)
  const [summary, references] = [await taskSummary(db, job_id), await deps.references.count(job_id)]
  const { charged } = await holds.settle({ user_id, job_id, job_name, total: costWith(job, totals) })
  const end = endGivenPlaces(decidedEnd(job), totals.places)
  const figures = {
    totals,
    progress: { discovered: references, tasks_total: summary.total, tasks_done: summary.ended },
    outcomes: { ...summary.outcomes, ok: totals.places },
    website_visits: summary.website_visits,
    ...(summary.limited_reason && { limited_reason: summary.limited_reason }),
    total_cost: charged,
    ...(await estimateOf(deps, job, totals.places)),
  }
  if (!(await moveJob(db, job, 'closing', { end, set: figures }))) return // another coordinator was faster
  deps.log.info({ job_id, ...end, places: totals.places }, 'job ended')
  deps.followEnd(job_id)
}

/**
 * Bills a job with a final status whose bill may be missing: it ended before its start, or comes from a backup. Safe to
 * repeat.
 */
export async function bill(
  { results, holds }: Pick<FinishDeps, 'results' | 'holds'>,
  { _id: job_id, user_id, name: job_name, total_cost: total = 0 }: JobDocument,
): Promise<void> {
  await results.seal(job_id)
  if (!(await holds.of(user_id, job_id))?.settled) await holds.settle({ user_id, job_id, job_name, total })
}

/** Returns how many places the area of a job has, if the job was to exhaust it and searched it everywhere. */
async function estimateOf({ db }: FinishDeps, job: JobDocument, places: number): Promise<Partial<JobDocument>> {
  if (!job.data.exhaust) return {}
  const estimate = estimateArea(await mappedCells(db, job._id), searchedArea(job), places)
  return estimate ? { estimate } : {}
}
