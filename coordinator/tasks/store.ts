import { randomUUID } from 'node:crypto'
import { noOutcomes, OUTCOMES, type OutcomeCounts } from '@placefleet/shared/outcome'
import {
  noWebsiteVisits,
  WEBSITE_VISITS,
  type WebsiteVisit,
  type WebsiteVisits,
} from '@placefleet/shared/website-visits'
import type { Collection } from 'mongodb'
import { ago } from '../mongo/clock.ts'
import { OPEN_STATES, type TaskDocument, type TaskState } from './documents.ts'
import { type Demand, releasable } from './plan.ts'

/** A task to be made; job, kind and ordinal name it, so making it again changes nothing. */
export type NewTask = Pick<TaskDocument, 'job_id' | 'user_id' | 'kind' | 'ordinal'> & { keyword?: string }

/** Where a job's tasks stand. */
export type TaskSummary = {
  total: number
  over: number
  failed: number
  running: number
  /** Open `discover` tasks. */
  searching: number
  collecting: number
  planned: number
  outcomes: OutcomeCounts
  website_visits: WebsiteVisits
}

/** The tasks of a database, but for their leases. */
export function createTaskStore(tasks: Collection<TaskDocument>) {
  return {
    find: async (task_id: string): Promise<TaskDocument | undefined> =>
      (await tasks.findOne({ _id: task_id })) ?? undefined,

    /** Makes those of the tasks that do not exist yet. */
    async create(wanted: NewTask[]): Promise<void> {
      if (wanted.length === 0) return
      const started = { state: 'waiting', attempt: 0, failures: 0, sequence: 0, outcomes: noOutcomes() } as const
      await tasks.bulkWrite(
        wanted.map(({ keyword, ...name }) => ({
          updateOne: {
            filter: { job_id: name.job_id, kind: name.kind, ordinal: name.ordinal },
            update: {
              $setOnInsert: {
                _id: randomUUID(),
                user_id: name.user_id,
                ...(keyword === undefined ? {} : { keyword }),
                ...started,
                created_at: new Date(),
              },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      )
    },

    /**
     * Moves as many of a job's waiting tasks to `released` as the demand allows, searches first, and gives them. Two
     * coordinators that release at once may overshoot a window a little; no task is released twice.
     */
    async release(job_id: string, demand: Demand): Promise<TaskDocument[]> {
      const left = { ...demand, unclaimed: { ...demand.unclaimed } }
      const released: TaskDocument[] = []
      for (const kind of ['discover', 'collect'] as const) {
        const batch = await releaseKind(tasks, job_id, kind, releasable(kind, left))
        left.unclaimed.job += batch.length
        left.unclaimed.user += batch.length
        released.push(...batch)
      }
      return released
    },

    unclaimed: async (filter: { job_id: string } | { user_id: string }): Promise<number> =>
      tasks.countDocuments({ ...filter, state: 'released' }),

    /** The jobs of a user that have tasks waiting for their release. */
    waitingJobs: (user_id: string): Promise<string[]> => tasks.distinct('job_id', { user_id, state: 'waiting' }),

    /** Tasks that were released so long ago and that nobody claimed; their release is renewed by the call. */
    async overdue(seconds: number): Promise<TaskDocument[]> {
      const filter = { state: 'released', $expr: { $lt: ['$released_at', ago(seconds, 'second')] } } as const
      const found = await tasks.find(filter).limit(200).toArray()
      await tasks.updateMany({ _id: { $in: found.map((task) => task._id) }, state: 'released' }, [
        { $set: { released_at: '$$NOW' } },
      ])
      return found
    },

    summary: (job_id: string): Promise<TaskSummary> => summarize(tasks, job_id),

    /** The failures of a job's tasks that were given up, the latest last. */
    failures: async (job_id: string) => {
      const failed = await tasks.find({ job_id, state: 'failed' }).sort({ ended_at: 1 }).toArray()
      return failed.flatMap((task) => (task.failure ? [task.failure] : []))
    },

    /** Ends a job's tasks that are in these states. */
    async cancel(job_id: string, states: TaskState[] = OPEN_STATES): Promise<void> {
      await tasks.updateMany({ job_id, state: { $in: states } }, [{ $set: { state: 'cancelled', ended_at: '$$NOW' } }])
    },

    remove: async (job_id: string): Promise<void> => {
      await tasks.deleteMany({ job_id })
    },
  }
}

export type TaskStore = ReturnType<typeof createTaskStore>

async function releaseKind(
  tasks: Collection<TaskDocument>,
  job_id: string,
  kind: TaskDocument['kind'],
  count: number,
): Promise<TaskDocument[]> {
  const ready = { $or: [{ not_before: { $exists: false } }, { $expr: { $lte: ['$not_before', '$$NOW'] } }] }
  const released: TaskDocument[] = []
  while (released.length < count) {
    const task = await tasks.findOneAndUpdate(
      { job_id, kind, state: 'waiting', ...ready },
      [{ $set: { state: 'released', released_at: '$$NOW' } }],
      { sort: { ordinal: 1 }, returnDocument: 'after' },
    )
    if (!task) break
    released.push(task)
  }
  return released
}

type TaskGroup = OutcomeCounts & { [Visit in WebsiteVisit as `website_${Visit}`]: number } & {
  _id: { kind: TaskDocument['kind']; state: TaskState }
  tasks: number
}

async function summarize(tasks: Collection<TaskDocument>, job_id: string): Promise<TaskSummary> {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, { $sum: `$outcomes.${outcome}` }]))
  const visits = Object.fromEntries(
    WEBSITE_VISITS.map((visit) => [`website_${visit}`, { $sum: `$website_visits.${visit}` }]),
  )
  const groups = await tasks
    .aggregate<TaskGroup>([
      { $match: { job_id } },
      { $group: { _id: { kind: '$kind', state: '$state' }, tasks: { $sum: 1 }, ...counts, ...visits } },
    ])
    .toArray()
  const count = (kinds: TaskDocument['kind'][], states: TaskState[]) =>
    groups
      .filter(({ _id }) => kinds.includes(_id.kind) && states.includes(_id.state))
      .reduce((sum, group) => sum + group.tasks, 0)
  const every: TaskState[] = ['waiting', 'released', 'running', 'done', 'failed', 'cancelled']
  const outcomes = noOutcomes()
  const website_visits = noWebsiteVisits()
  for (const group of groups) {
    for (const outcome of OUTCOMES) outcomes[outcome] += group[outcome]
    for (const visit of WEBSITE_VISITS) website_visits[visit] += group[`website_${visit}`]
  }
  return {
    total: count(['discover', 'collect'], every),
    over: count(['discover', 'collect'], ['done', 'failed', 'cancelled']),
    failed: count(['discover', 'collect'], ['failed']),
    running: count(['discover', 'collect'], ['running']),
    searching: count(['discover'], OPEN_STATES),
    collecting: count(['collect'], ['released', 'running']),
    planned: count(['collect'], every),
    outcomes,
    website_visits,
  }
}
