import type { Logger } from '@placefleet/shared/log'
import { traced } from '@placefleet/shared/tracing'
import type { Holds } from '../billing/ledger/holds.ts'
import { costWith } from '../billing/prices/cost.ts'
import { estimateArea } from '../coverage/exhaustion.ts'
import type { CoverageStore } from '../coverage/store.ts'
import type { KnownPlaces } from '../known-places/store.ts'
import type { ResultAppender } from '../results/append.ts'
import type { References } from '../tasks/plan.ts'
import type { TaskStore } from '../tasks/store.ts'
import type { EndedJob } from '../webhooks/deliveries/record.ts'
import type { JobDocument } from './documents.ts'
import type { DueJobs } from './due-jobs.ts'
import { decidedEnd, endGivenPlaces } from './job-end.ts'
import type { PhaseMoves } from './phase-moves.ts'
import { endedJob } from './present.ts'
import type { JobProxies } from './proxies.ts'
import { searchedArea } from './search-on.ts'
import type { JobCreations } from './store.ts'

export type FinishDeps = {
  log: Logger
  jobs: PhaseMoves & DueJobs & Pick<JobCreations, 'remove'>
  tasks: TaskStore
  references: References
  results: ResultAppender
  holds: Holds
  known: Pick<KnownPlaces, 'record' | 'forgetDropped'>
  coverage: Pick<CoverageStore, 'remove' | 'map'>
  proxies: Pick<JobProxies, 'remove'>
  /** Announces to all coordinators that a job takes no more places, so that they stop its agents. */
  announceEnd(job_id: string): void
  /** Records the webhook deliveries of a job's end. Safe to repeat. */
  recordDeliveries(job: EndedJob): Promise<void>
  /** Tells the monitor of a job that it has ended. Safe to repeat. */
  recordRunEnd(job: JobDocument): Promise<void>
  /** Whether its monitor still needs what the job left, because the run is not compared yet. */
  isNeeded(job: JobDocument): Promise<boolean>
}

/** What is done in the phases after a job took its last place. Every step is idempotent. */
export type Finisher = {
  /** Ends a job whose end is decided: seals its results, bills them, stores its final figures. Then closes it. */
  finish(job: JobDocument): Promise<void>
  /** Closes an ended job: bills it, records its webhook deliveries and tells its monitor. Then purges it if it is deleted. */
  close(job: JobDocument): Promise<void>
  /** Removes the places of a deleted job. */
  purge(job: JobDocument): Promise<void>
  /** Removes the references of an ended job after a minute, and the rest of a deleted one a day after its creation. */
  tidy(job: JobDocument): Promise<void>
}

/** Creates the finisher of a coordinator. */
export function createFinisher(deps: FinishDeps): Finisher {
  const { jobs, tasks, results } = deps

  // The seal comes first. After it the totals cannot change, so billing can be repeated. A job is never seen as ended
  // before it is billed and its places are known.
  const finish = (job: JobDocument) =>
    traced('end job', { parent: job.traceparent, attributes: { job_id: job._id } }, () => finishTraced(job))

  const finishTraced = async (job: JobDocument) => {
    await tasks.cancel(job._id)
    deps.announceEnd(job._id)
    const totals = await results.seal(job._id)
    const [summary, references] = [await tasks.summary(job._id), await deps.references.count(job._id)]
    const { charged } = await settle(deps, job, costWith(job, totals))
    await deps.known.record({ user_id: job.user_id, job_id: job._id, data: job.data })
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
    const ended = await jobs.move(job, 'closing', { end, set: figures })
    if (!ended) return // another coordinator was faster and closes the job
    deps.log.info({ job_id: job._id, ...end, places: totals.places }, 'job ended')
    await tell(ended)
  }

  // A job that was cancelled before its start comes here first.
  const close = async (job: JobDocument) => {
    await results.seal(job._id)
    await settle(deps, job, job.total_cost ?? 0)
    await tell(job)
  }

  // A monitor that cannot record its run must not keep the webhooks from hearing of the end.
  const tell = async (job: JobDocument) => {
    await tasks.cancel(job._id) // another coordinator may have planned tasks before it knew of the end
    if (job.proxy_count > 0) await deps.proxies.remove(job._id)
    await deps.recordDeliveries(endedJob(job))
    await deps.recordRunEnd(job)
    const closed = await jobs.markClosed(job._id)
    if (closed?.phase === 'deleting') await purge(closed)
  }

  const purge = (job: JobDocument) => purgeJob(deps, job._id)
  const tidy = (job: JobDocument) => tidyJob(deps, job)

  return { finish, close, purge, tidy }
}

const settle = ({ holds }: FinishDeps, job: JobDocument, total: number) =>
  holds.settle({ user_id: job.user_id, job_id: job._id, job_name: job.name, total })

/** Returns how many places the area of a job has, if the job was to exhaust it and searched it everywhere. */
async function estimateOf({ coverage }: FinishDeps, job: JobDocument, places: number): Promise<Partial<JobDocument>> {
  if (!job.data.exhaust) return {}
  const estimate = estimateArea(await coverage.map(job._id), searchedArea(job), places)
  return estimate ? { estimate } : {}
}

/** Removes the data of a deleted job. Its places stay known to its user. */
async function purgeJob(
  { jobs, tasks, references, results, known, coverage }: FinishDeps,
  job_id: string,
): Promise<void> {
  await results.bury(job_id)
  await references.remove(job_id)
  await known.forgetDropped(job_id)
  await coverage.remove(job_id)
  await tasks.remove(job_id)
  await jobs.markPurged(job_id)
}

/** Removes what only the agents of an ended job needed. */
async function tidyJob(deps: FinishDeps, job: JobDocument): Promise<void> {
  const { jobs, references, results, known } = deps
  if (!(await jobs.isOver(job._id))) return jobs.postpone(job)
  if (job.phase === 'deleted') {
    await results.delete(job._id)
    return jobs.remove(job._id)
  }
  if (await deps.isNeeded(job)) return // a sweeper looks at the job again
  await references.remove(job._id)
  await known.forgetDropped(job._id)
  await jobs.unschedule(job)
}
