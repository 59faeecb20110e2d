import { isFinal } from '@placefleet/shared/job-status'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Holds } from '../billing/holds.ts'
import { createSerial } from '../mongo/serial.ts'
import type { ResultAppender } from '../results/append.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import type { Doorbell } from '../tasks/doorbell.ts'
import { plannedTasks, userWindow } from '../tasks/plan.ts'
import type { References } from '../tasks/references.ts'
import type { TaskStore, TaskSummary } from '../tasks/store.ts'
import type { EndedJob } from '../webhooks/deliveries/record.ts'
import { costWith } from './cost.ts'
import type { JobDocument } from './documents.ts'
import { endedJob } from './ended-job.ts'
import type { JobStore } from './store.ts'
import { type Standing, type Verdict, verdict, verdictOver } from './verdict.ts'

/** Jobs looked at for one that has a task to release: one whose cap is nearly reached has waiting tasks and needs none. */
const OTHERS_TRIED = 3

type Progress = Pick<Standing, 'tasks' | 'references'>

export type EngineParts = {
  log: Logger
  jobs: JobStore
  tasks: TaskStore
  references: References
  results: ResultAppender
  holds: Holds
  doorbell: Doorbell
  /** How many tasks the fleet can run at once, about. */
  slots(): number
  /** Tells every coordinator that a job takes no more places, so that they stop its agents. */
  announceEnd(job_id: string): void
  /** Records the webhook deliveries of a job's end. Repeating it changes nothing. */
  recordDeliveries(job: EndedJob): Promise<void>
}

/** Moves jobs along. Every step may be repeated by anybody at any time, so any process may die between two. */
export type JobEngine = {
  /** Does whatever is due for a job: plans, releases, shows progress, ends it when it is over. */
  advance(job_id: string): Promise<void>
  /** Moves a job on of which a task was claimed, and lets its user's other jobs have the room this made in the queue. */
  taskClaimed(job: JobDocument): Promise<void>
  /** Starts a pending job whose first task was claimed. */
  start(job: JobDocument): Promise<void>
  /** Begins to end a running job before its time. */
  abort(job_id: string, reason: 'user' | 'timeout'): Promise<boolean>
  /** Does what the end of a job entails. */
  close(job: JobDocument): Promise<void>
}

/** The engine over its parts. */
export function createJobEngine(parts: EngineParts): JobEngine {
  const { jobs, tasks, holds } = parts
  const serial = createSerial()

  const advance = async (job_id: string) => {
    const job = await jobs.find(job_id)
    if (!job || (!job.listed && !job.deleted_at)) return
    if (isFinal(job.status)) return close(job)
    const progress = await planned(parts, job)
    if (job.status !== 'aborting') await release(parts, job, progress.tasks)
    await showProgress(parts, job, progress)
    await endIfOver(job, progress)
  }

  const shareRoom = async ({ _id, user_id, paid }: JobDocument) => {
    const others = await tasks.waitingJobs(user_id)
    for (const job_id of sampled(
      others.filter((other) => other !== _id),
      OTHERS_TRIED,
    )) {
      if ((await tasks.unclaimed({ user_id })) >= userWindow(parts.slots(), paid)) return
      await serial(job_id, () => advance(job_id))
    }
  }

  const endIfOver = async (job: JobDocument, progress: Progress) => {
    const standing = {
      ...progress,
      failures: progress.tasks.failed > 0 ? await tasks.failures(job._id) : [],
      patience_over: job.status === 'aborting' && (await jobs.patienceOver(job._id)),
    }
    const end = verdict(job, standing)
    if (end) await finish(job, end)
  }

  // The chain is sealed first: from then on the totals cannot change, so billing them and showing them is only
  // repeating the same figures, and a job is never seen as ended before it is billed.
  const finish = async (job: JobDocument, expected: Verdict) => {
    await tasks.cancel(job._id)
    parts.announceEnd(job._id)
    const totals = await parts.results.seal(job._id)
    const { tasks: summary, references } = await progressOf(parts, job._id)
    const { charged } = await settle(job, costWith(job, totals))
    const end = verdictOver(expected, totals.places)
    const { status, ...why } = end
    const ended = await jobs.move(job._id, job.status, status, {
      ...why,
      totals,
      progress: { discovered: references, tasks_total: summary.total, tasks_done: summary.over },
      outcomes: { ...summary.outcomes, ok: totals.places },
      total_cost: charged,
    })
    parts.log.info({ job_id: job._id, ...end, places: totals.places }, 'job ended')
    if (ended) await close(ended)
  }

  const settle = (job: JobDocument, total: number) =>
    holds.settle({ user_id: job.user_id, job_id: job._id, job_name: job.name, total })

  const close = async (job: JobDocument) => {
    if (!isFinal(job.status)) return // settling is final, too: before the end it would bill too little
    if (!job.closed_at) {
      await tasks.cancel(job._id)
      await parts.results.seal(job._id)
      await settle(job, job.total_cost ?? 0)
      await parts.recordDeliveries(endedJob(job))
      await jobs.set(job._id, { closed_at: new Date() })
    }
    if (job.deleted_at && !job.purged_at) await purge(job._id)
  }

  const purge = async (job_id: string) => {
    await parts.results.remove(job_id)
    await parts.references.remove(job_id)
    await tasks.remove(job_id)
    await jobs.set(job_id, { purged_at: new Date() })
  }

  return {
    advance: (job_id) => serial(job_id, () => advance(job_id)),
    async taskClaimed(job) {
      await serial(job._id, () => advance(job._id))
      void canFail(parts.log, "releasing tasks of a user's other jobs", shareRoom(job))
    },
    close: (job) => serial(job._id, () => close(job)),
    async start(job) {
      const started = await jobs.start(job._id)
      if (!started) return
      const price = job.prices.job_start
      await holds.chargeStart({ user_id: job.user_id, job_id: job._id, job_name: job.name, price })
    },
    async abort(job_id, reason) {
      const aborting = await jobs.move(job_id, 'running', 'aborting', { cancel_reason: reason, aborted_at: '$$NOW' })
      if (!aborting) return false
      await tasks.cancel(job_id, ['waiting', 'released'])
      parts.announceEnd(job_id)
      await serial(job_id, () => advance(job_id))
      return true
    },
  }
}

/** Makes the collect tasks that the listed places are due for, and gives where the job stands then. */
async function planned(parts: EngineParts, job: JobDocument): Promise<Progress> {
  const progress = await progressOf(parts, job._id)
  if (job.status !== 'running') return progress
  const { planned, searching } = progress.tasks
  const due = plannedTasks(progress.references, searching > 0)
  if (due <= planned) return progress
  const ordinals = Array.from({ length: due - planned }, (_, index) => planned + index)
  const { _id: job_id, user_id } = job
  await parts.tasks.create(ordinals.map((ordinal) => ({ job_id, user_id, kind: 'collect', ordinal })))
  return progressOf(parts, job_id)
}

// The tasks first: a search that is over then has listed all its places, so that none is left out of the count.
async function progressOf({ tasks, references }: EngineParts, job_id: string): Promise<Progress> {
  const summary = await tasks.summary(job_id)
  return { tasks: summary, references: await references.count(job_id) }
}

async function release({ tasks, doorbell, slots }: EngineParts, job: JobDocument, summary: TaskSummary): Promise<void> {
  if (summary.over === summary.total) return
  const released = await tasks.release(job._id, {
    unclaimed: {
      job: await tasks.unclaimed({ job_id: job._id }),
      user: await tasks.unclaimed({ user_id: job.user_id }),
    },
    slots: slots(),
    paid: job.paid,
    collecting: summary.collecting,
    wanted: job.data.max_results - job.totals.places,
    filtered: job.data.website_filter !== 'all',
  })
  await Promise.all(released.map((task) => ring(doorbell, task)))
}

/** Rings for a task. Each release of a task has a number of its own, so that the queue takes it for a new message. */
export const ring = (doorbell: Doorbell, task: TaskDocument): Promise<void> =>
  doorbell.ring(task._id, task.released_at?.getTime() ?? 0)

async function showProgress({ jobs }: EngineParts, job: JobDocument, { tasks, references }: Progress): Promise<void> {
  const progress = { discovered: references, tasks_total: tasks.total, tasks_done: tasks.over }
  await jobs.setProgress(job._id, progress, tasks.outcomes)
}

/** Some of the items, by chance. */
function sampled<Item>(items: Item[], count: number): Item[] {
  const left = [...items]
  return Array.from({ length: Math.min(count, items.length) }, () => {
    return left.splice(Math.floor(Math.random() * left.length), 1)
  }).flat()
}
