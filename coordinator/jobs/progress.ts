import type { Cell } from '@placefleet/shared/cell'
import { isFiltered } from '@placefleet/shared/place-filter'
import type { Db } from 'mongodb'
import { tailRead } from '../mongo/locks.ts'
import type { ResultAppender } from '../results/append.ts'
import { forAgentsOf, newTaskOf, slotsFor, type TaskAgent } from '../tasks/documents.ts'
import type { TaskNotifier } from '../tasks/notifier.ts'
import { LAST_REFERENCE, plannedTasks, userWindow } from '../tasks/plan.ts'
import { blockedUntil } from '../tasks/snooze.ts'
import {
  countClaimable,
  countsOf,
  groupStages,
  insertTasks,
  releaseTasks,
  sumsOf,
  type TaskCounts,
  type TaskGroup,
  type TaskSums,
  taskFailures,
  UNCLAIMED,
  type UnclaimedTask,
  waitingJobs,
} from '../tasks/store.ts'
import { type JobDocument, jobsOf } from './documents.ts'
import { type EndInputs, isFull, isSearching } from './job-end.ts'
import { failWithoutAgent } from './phase-moves.ts'
import { type AreaProgress, type DecideWave, searchOn, withSearches } from './search-on.ts'
import { countRest, noteAgent, writeProgress } from './store.ts'

export type ProgressDeps = {
  db: Db
  decideWave: DecideWave
  results: Pick<ResultAppender, 'seen'>
  notifier: TaskNotifier
  /** Plans the audit of a job's coverage. Undefined: there is nothing to audit. Safe to repeat. */
  planAudit(job_id: string): Promise<Cell[] | undefined>
  /** How long a pending job waits for an agent that may take it. */
  pendingHours: number
  /** The connected agents that take tasks. */
  agents(): readonly TaskAgent[]
}

/** What a pass over a job decides by. */
export type PassInputs = {
  job: JobDocument
  tasks: TaskCounts
  /** The outcomes of its tasks, if the pass shows them. */
  sums: TaskSums | undefined
  /** The number of places that its searches listed. */
  references: number
  /** The unclaimed tasks of its user in the queue. Of their refusals they have those that still hold. */
  unclaimed: UnclaimedTask[]
}

export type ReadPass = (job_id: string, withSums: boolean) => Promise<PassInputs | undefined>

const OF_JOB = { localField: '_id', foreignField: 'job_id' } as const
const OF_USER = { localField: 'user_id', foreignField: 'user_id' } as const

type Read = JobDocument & { groups: TaskGroup[]; last: { position: number }[]; unclaimed: UnclaimedTask[] }

/**
 * Creates the read of what a pass over a job that collects needs, in one command. It reads the tasks before the references: a search
 * that has ended has listed all its places, so their count misses none. Both are as durable as the writes of the
 * references, because one command may store these and end the search.
 */
export function createReadPass(db: Db): ReadPass {
  const jobs = jobsOf(db)
  return async (job_id, withSums) => {
    const stages = [
      { $match: { _id: job_id, phase: { $in: ['pending', 'running'] } } },
      { $lookup: { from: 'tasks', ...OF_JOB, pipeline: groupStages(withSums), as: 'groups' } },
      { $lookup: { from: 'references', ...OF_JOB, pipeline: LAST_REFERENCE, as: 'last' } },
      { $lookup: { from: 'tasks', ...OF_USER, pipeline: UNCLAIMED, as: 'unclaimed' } },
    ]
    const [read] = await jobs.aggregate<Read>(stages, tailRead(db)).toArray()
    if (!read) return undefined
    const { groups, last, unclaimed, ...job } = read
    const sums = withSums ? sumsOf(groups) : undefined
    return { job, tasks: countsOf(groups), sums, references: last[0]?.position ?? 0, unclaimed }
  }
}

/** The progress of a job, with the sums of its tasks when they were requested, and that of an area which it exhausts. */
export type Progress = { tasks: TaskCounts; sums: TaskSums | undefined; references: number; area?: AreaProgress }

/** How many other jobs are tried after a claim until one releases a task. A job close to its cap may release none. */
const OTHERS_TRIED = 3

/**
 * Creates the next searches of a job that exhausts its area, and the collect tasks for the references found so far. Returns
 * the progress after that.
 */
export async function plan(deps: ProgressDeps, read: PassInputs): Promise<Progress> {
  const { job, sums, references } = read
  const counts = await withAudit(deps, job, read.tasks)
  const { counts: tasks, ...area } = await searchOn(deps, job, counts, references)
  const progress = { tasks, sums, references, ...area }
  const due = plannedTasks(references, job.task_size, isSearching(progress))
  if (job.phase !== 'running' || due <= tasks.planned) return progress
  const ordinals = Array.from({ length: due - tasks.planned }, (_, index) => tasks.planned + index)
  await insertTasks(
    deps.db,
    ordinals.map((ordinal) => ({ ...newTaskOf(job, 'collect'), ordinal })),
  )
  const waiting = { ...tasks.waiting, collect: tasks.waiting.collect + ordinals.length }
  return { ...progress, tasks: { ...tasks, total: tasks.total + ordinals.length, planned: due, waiting } }
}

/**
 * Creates the searches of a job's audit once its other searches have ended. Returns the counts after that. It comes
 * before the last collect task, which may be short: the audit may list more places.
 */
async function withAudit(deps: ProgressDeps, job: JobDocument, counts: TaskCounts): Promise<TaskCounts> {
  const { _id: job_id, data } = job
  const searches = data.keywords.length
  const isDue = data.coverage === 'audited' && searches > 0 && counts.searching === 0 && counts.searches === searches
  if (!isDue || job.phase !== 'running' || isFull(job)) return counts
  const cells = await deps.planAudit(job_id)
  if (!cells) return counts
  const search = { ...newTaskOf(job, 'discover'), audit: { cells } }
  await insertTasks(
    deps.db,
    data.keywords.map((keyword, index) => ({ ...search, ordinal: data.keywords.length + index, keyword })),
  )
  return withSearches(counts, data.keywords.length)
}

export type Released = {
  /** Unclaimed tasks of the job in the queue. Undefined: no more will come. */
  unclaimed: number | undefined
  /** How many more tasks its user may have in the queue. */
  room: number
  /** When the next task may be released, if tasks must wait. */
  nextInMs?: number | undefined
}

/** Moves as many waiting tasks to the queue as the windows and the job's cap allow. */
export async function release(
  { db, results, notifier, agents }: ProgressDeps,
  { job, unclaimed: unclaimedOfUser }: PassInputs,
  counts: TaskCounts,
): Promise<Released> {
  const unclaimed = counts.released
  if (counts.waiting.discover + counts.waiting.collect === 0) return { unclaimed: undefined, room: 1 }
  const slots = slotsFor(agents(), forAgentsOf(job))
  const window = userWindow(slots, job.paid)
  if (unclaimed >= window) return { unclaimed, room: 0 } // the job alone fills its user's window
  const ofUser = countClaimable(unclaimedOfUser, agents())
  const { released, nextInMs } = await releaseTasks(db, job._id, {
    unclaimed: { job: unclaimed, user: ofUser },
    slots,
    size: job.task_size,
    paid: job.paid,
    waiting: counts.waiting,
    collecting: counts.collecting,
    wanted: job.data.max_results - Math.max(job.totals.places, results.seen(job._id)?.places ?? 0),
    filtered: isFiltered(job.data),
  })
  await Promise.all(released.map((task) => notifier.notify(task)))
  const room = window - ofUser - released.length
  return { unclaimed: unclaimed + released.length, room, nextInMs }
}

/** Releases tasks of the user's other jobs into the room left in the window. */
export async function releaseOtherJobs(
  { db }: Pick<ProgressDeps, 'db'>,
  { _id, user_id }: JobDocument,
  room: number,
  reconcile: (job_id: string) => Promise<void>,
): Promise<void> {
  const others = (await waitingJobs(db, user_id)).filter((other) => other !== _id)
  for (const job_id of sample(others, Math.min(OTHERS_TRIED, room))) await reconcile(job_id)
}

/** Writes the progress of a job to its document, where the API reads it. */
export async function showProgress(deps: ProgressDeps, job: JobDocument, progress: Progress): Promise<void> {
  const { total, ended } = progress.tasks
  const waiting = progress.tasks.running > 0 ? {} : await waitingFor(deps, job)
  await countRest(deps.db, job, waiting.waiting_until)
  const shown = {
    discovered: progress.references,
    tasks_total: total,
    tasks_done: ended,
    searches_ended: !isSearching(progress),
    ...waiting,
  }
  const totals = deps.results.seen(job._id)
  await writeProgress(deps.db, job._id, { progress: shown, ...progress.sums, ...(totals && { totals }) })
}

/**
 * Returns the reason why a job cannot continue now, if any: the map site refuses all its tasks or sends answers that
 * nobody knows, or there is no agent.
 */
async function waitingFor({ db, agents }: ProgressDeps, job: JobDocument): Promise<Partial<JobDocument['progress']>> {
  const wait = await blockedUntil(db, job._id)
  if (wait) return { waiting_until: wait.until, waiting_reason: wait.reason }
  return mayRun(agents(), job) ? {} : { waiting_reason: 'no_agent' }
}

/** Whether somebody may take the tasks of a job: a connected agent, or the simulated city. */
const mayRun = (agents: readonly TaskAgent[], job: JobDocument): boolean =>
  job.data.demo === true || slotsFor(agents, forAgentsOf(job)) > 0

/**
 * Ends a pending job as failed that no connected agent could take for `pendingHours`. Returns false while it may go on.
 * Notes since when there is no agent.
 */
export async function endWithoutAgent({ db, agents, pendingHours }: ProgressDeps, job: JobDocument): Promise<boolean> {
  if (job.phase !== 'pending') return false
  const hasAgent = mayRun(agents(), job)
  if (hasAgent !== (job.no_agent_since === undefined)) await noteAgent(db, job._id, hasAgent)
  return !hasAgent && (await failWithoutAgent(db, job._id, pendingHours)) !== undefined
}

/** Reads what decides whether a job ends. */
export async function endInputs({ db }: ProgressDeps, job: JobDocument, progress: Progress): Promise<EndInputs> {
  return { ...progress, failures: progress.tasks.failed > 0 ? await taskFailures(db, job._id) : [] }
}

function sample<Item>(items: Item[], count: number): Item[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () => {
    return left.splice(Math.floor(Math.random() * left.length), 1)
  }).flat()
}
