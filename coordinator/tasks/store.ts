import { LimitedReason, noOutcomes, OUTCOMES, type OutcomeCounts } from '@placefleet/shared/outcome'
import { noWebsiteVisits, WEBSITE_VISITS, type WebsiteVisits } from '@placefleet/shared/website-visits'
import { type Collection, type Db, type Document, MongoBulkWriteError } from 'mongodb'
import { isDuplicateKey } from '../mongo/failures.ts'
import { removeAll, updateAll } from '../mongo/in-batches.ts'
import { using } from '../mongo/indexes.ts'
import { insertInOrder, type Updates } from '../mongo/locks.ts'
import { ago, timeOrderedUuid } from '../mongo/time.ts'
import {
  ENDED_STATES,
  OPEN_STATES,
  type TaskAgent,
  type TaskDocument,
  type TaskState,
  tasksBy,
  tasksOf,
} from './documents.ts'
import { type Demand, releasable } from './plan.ts'
import { isClaimable, stillRefused } from './snooze.ts'

/** A task to create. Its job, kind and ordinal identify it, so creating it twice changes nothing. */
export type NewTask = Pick<
  TaskDocument,
  'job_id' | 'user_id' | 'kind' | 'ordinal' | 'keyword' | 'cells' | 'audit' | 'demo' | 'proxied'
>

export type TaskCounts = {
  total: number
  ended: number
  failed: number
  running: number
  released: number
  waiting: Record<TaskDocument['kind'], number>
  /** All `discover` tasks. */
  searches: number
  /** Open `discover` tasks. */
  searching: number
  /** Failed `discover` tasks. */
  failedSearches: number
  /** Released or running collect tasks. */
  collecting: number
  /** All collect tasks. */
  planned: number
}

/** The outcomes of a job's tasks, added up. */
export type TaskSums = {
  outcomes: OutcomeCounts
  website_visits: WebsiteVisits
  /** Of the first task that has one. */
  limited_reason?: LimitedReason
}

/** What decides who may claim an unclaimed task. */
export type UnclaimedTask = Pick<TaskDocument, 'demo' | 'proxied' | 'refused'>

/** The demand of a job, and its waiting tasks of each kind. */
export type ReleaseDemand = Demand & { waiting: TaskCounts['waiting'] }

/** `released`: the tasks as they were before. `nextInMs`: when the next waiting task may be released. */
type ReleasedTasks = { released: TaskDocument[]; nextInMs: number | undefined }

/** How long ended tasks are kept: for the timeline of their job, and failed ones for operators. */
const ENDED_KEPT_HOURS = [
  ['done', 7 * 24],
  ['cancelled', 7 * 24],
  ['failed', 30 * 24],
] as const

/** The most tasks in one repeated notification of the fleet. */
const OVERDUE_BATCH = 200

/** Creates the tasks that do not exist yet. */
export async function insertTasks(db: Db, wanted: NewTask[]): Promise<void> {
  if (wanted.length === 0) return
  try {
    await tasksOf(db).insertMany(wanted.map(documentOf), { ordered: false })
  } catch (error) {
    if (!hasOnlyDuplicates(error)) throw error
  }
}

/** Creates the first tasks of a job and then updates it, in one command. Returns false when the update found no job. */
export async function insertFirstTasks(db: Db, wanted: NewTask[], update: Updates[number]): Promise<boolean> {
  return (await insertInOrder(db, tasksOf(db), wanted.map(documentOf), [update])).isRecorded === true
}

const documentOf = (task: NewTask): TaskDocument => ({
  _id: timeOrderedUuid(),
  ...task,
  state: 'waiting',
  attempt: 0,
  failures: 0,
  sequence: 0,
  outcomes: noOutcomes(),
  created_at: new Date(),
})

/**
 * Moves as many of a job's waiting tasks to `released` as the demand allows, searches first. Two coordinators that
 * release at once may overshoot a window a little, and release the same tasks.
 */
export async function releaseTasks(db: Db, job_id: string, demand: ReleaseDemand): Promise<ReleasedTasks> {
  const left = { ...demand, unclaimed: { ...demand.unclaimed } }
  const released: TaskDocument[] = []
  let anyNotReady = false
  for (const kind of ['discover', 'collect'] as const) {
    const count = Math.min(demand.waiting[kind], releasable(kind, left))
    const batch = count > 0 ? await releaseKind(tasksOf(db), job_id, kind, count) : []
    left.unclaimed.job += batch.length
    left.unclaimed.user += batch.length
    anyNotReady ||= batch.length < count
    released.push(...batch)
  }
  return { released, nextInMs: anyNotReady ? await nextInMs(tasksOf(db), job_id) : undefined }
}

/** Renews the release of tasks that no agent has claimed for this many milliseconds. Returns them as they were before. */
export async function renewOverdue(db: Db, ms: number): Promise<TaskDocument[]> {
  const filter = { state: 'released', $expr: { $lt: ['$released_at', ago(ms, 'millisecond')] } } as const
  const documents = await tasksOf(db).find(filter, using(tasksBy.state_ended)).limit(OVERDUE_BATCH).toArray()
  if (documents.length === 0) return []
  await tasksOf(db).updateMany({ _id: { $in: documents.map((task) => task._id) }, state: 'released' }, [
    { $set: { released_at: '$$NOW' } },
  ])
  return documents
}

/** Ends a job's tasks that are in these states. */
export async function cancelTasks(db: Db, job_id: string, states: TaskState[] = OPEN_STATES): Promise<void> {
  const update = [{ $set: { state: 'cancelled', ended_at: '$$NOW' } }]
  await updateAll(tasksOf(db), { job_id, state: { $in: states } }, update, { index: tasksBy.job_state })
}

export async function removeTasks(db: Db, job_id: string): Promise<void> {
  await removeAll(tasksOf(db), { job_id }, { index: tasksBy.job_state })
}

/** Removes the ended tasks that users and operators have had enough time to see. */
export async function forgetEndedTasks(db: Db): Promise<void> {
  for (const [state, hours] of ENDED_KEPT_HOURS) {
    const old = { $expr: { $lt: ['$ended_at', ago(hours, 'hour')] } }
    await removeAll(tasksOf(db), { state, ...old }, { index: tasksBy.state_ended })
  }
}

/** Gives a failed task all its attempts again. Returns its job, or undefined when the task has not failed. */
export async function retryFailedTask(db: Db, task_id: string): Promise<string | undefined> {
  const again = [{ $set: { state: 'waiting', failures: 0 } }, { $unset: ['ended_at', 'not_before', 'failure'] }]
  return (await tasksOf(db).findOneAndUpdate({ _id: task_id, state: 'failed' }, again))?.job_id
}

/** Returns a task. Of its refusals it has only those that still hold. */
export async function findTask(db: Db, task_id: string): Promise<TaskDocument | undefined> {
  const stages = [{ $match: { _id: task_id } }, { $set: { refused: stillRefused } }]
  return (await tasksOf(db).aggregate<TaskDocument>(stages).next()) ?? undefined
}

export async function waitingJobs(db: Db, user_id: string): Promise<string[]> {
  const stages = [{ $match: { user_id, state: 'waiting' } }, { $group: { _id: '$job_id' } }]
  const documents = await tasksOf(db).aggregate<{ _id: string }>(stages, using(tasksBy.user_state_job)).toArray()
  return documents.map(({ _id }) => _id)
}

/** Returns the task counts of a job. Reads the index only, not the tasks. */
export const taskCounts = async (db: Db, job_id: string): Promise<TaskCounts> =>
  countsOf(await groupsOf(db, job_id, false))

export async function taskSummary(db: Db, job_id: string): Promise<TaskCounts & TaskSums> {
  const groups = await groupsOf(db, job_id, true)
  return { ...countsOf(groups), ...sumsOf(groups) }
}

/** Returns the failures of a job's tasks, the latest last. */
export async function taskFailures(db: Db, job_id: string) {
  const failed = tasksOf(db).find({ job_id, state: 'failed' }, using(tasksBy.job_state))
  return (await failed.sort({ ended_at: 1 }).toArray()).flatMap((task) => (task.failure ? [task.failure] : []))
}

/** Why places of a task are cut or missing: what its agent said, or the failure that only some agents have. */
const LIMITED_REASON = {
  $cond: [
    { $and: [{ $eq: ['$state', 'failed'] }, { $eq: ['$failure.code', 'chromium_unavailable'] }] },
    'chromium_unavailable',
    '$limited_reason',
  ],
}

async function releaseKind(
  tasks: Collection<TaskDocument>,
  job_id: string,
  kind: TaskDocument['kind'],
  count: number,
): Promise<TaskDocument[]> {
  const ready = { $or: [{ not_before: { $exists: false } }, { $expr: { $lte: ['$not_before', '$$NOW'] } }] }
  const filter = { job_id, state: 'waiting', kind, ...ready } as const
  const documents = await tasks.find(filter, using(tasksBy.job_state)).sort({ ordinal: 1 }).limit(count).toArray()
  if (documents.length === 0) return []
  const waiting = { _id: { $in: documents.map((task) => task._id) }, state: 'waiting' } as const
  const { modifiedCount } = await tasks.updateMany(waiting, [{ $set: { state: 'released', released_at: '$$NOW' } }])
  return modifiedCount > 0 ? documents : []
}

/** Returns when the first of a job's waiting tasks may be released; undefined when none must wait. */
async function nextInMs(tasks: Collection<TaskDocument>, job_id: string): Promise<number | undefined> {
  const notReady = { job_id, state: 'waiting', $expr: { $gt: ['$not_before', '$$NOW'] } }
  const first = [{ $sort: { not_before: 1 } }, { $limit: 1 }]
  const wait = { $project: { ms: { $subtract: ['$not_before', '$$NOW'] } } }
  const stages = [{ $match: notReady }, ...first, wait]
  const [next] = await tasks.aggregate<{ ms: number }>(stages, using(tasksBy.job_state)).toArray()
  return next?.ms
}

/** A job's tasks of one kind in one state: their number, and sums over them. */
export type TaskGroup = { _id: { kind: TaskDocument['kind']; state: TaskState }; tasks: number } & Record<
  string,
  unknown
>

/** Returns the stages that group the tasks of a job. Without sums the index alone has what they read. */
export function groupStages(withSums: boolean): Document[] {
  const sumOf = (field: string, names: readonly string[]) =>
    names.map((name) => [`${field}_${name}`, { $sum: `$${field}.${name}` }])
  const sums = {
    ...Object.fromEntries([...sumOf('outcomes', OUTCOMES), ...sumOf('website_visits', WEBSITE_VISITS)]),
    limited_reason: { $max: LIMITED_REASON },
  }
  return [{ $group: { _id: { kind: '$kind', state: '$state' }, tasks: { $sum: 1 }, ...(withSums && sums) } }]
}

/** The stages that reduce the tasks of a user to the unclaimed ones in the queue. */
export const UNCLAIMED: Document[] = [
  { $match: { state: 'released' } },
  { $project: { demo: 1, proxied: 1, refused: stillRefused } },
]

/**
 * Counts the unclaimed tasks of a user that one of the agents may claim: the others would keep the tasks of the user's
 * other jobs waiting. Without an agent all count.
 */
export const countClaimable = (unclaimed: readonly UnclaimedTask[], agents: readonly TaskAgent[]): number =>
  agents.length === 0 ? unclaimed.length : unclaimed.filter((task) => isClaimable(agents, task)).length

function groupsOf(db: Db, job_id: string, withSums: boolean): Promise<TaskGroup[]> {
  const stages = [{ $match: { job_id } }, ...groupStages(withSums)]
  return tasksOf(db).aggregate<TaskGroup>(stages, using(tasksBy.job_state)).toArray()
}

export function sumsOf(groups: readonly TaskGroup[]): TaskSums {
  const [outcomes, website_visits] = [noOutcomes(), noWebsiteVisits()]
  const sum = (name: string) => groups.reduce((total, group) => total + Number(group[name] ?? 0), 0)
  for (const name of OUTCOMES) outcomes[name] = sum(`outcomes_${name}`)
  for (const name of WEBSITE_VISITS) website_visits[name] = sum(`website_visits_${name}`)
  const reasons = groups.flatMap((group) => LimitedReason.safeParse(group.limited_reason).data ?? [])
  return { outcomes, website_visits, ...(reasons[0] && { limited_reason: reasons[0] }) }
}

export function countsOf(groups: readonly TaskGroup[]): TaskCounts {
  const count = (kinds: TaskDocument['kind'][], states: readonly TaskState[]) =>
    groups
      .filter(({ _id }) => kinds.includes(_id.kind) && states.includes(_id.state))
      .reduce((sum, group) => sum + group.tasks, 0)
  const both: TaskDocument['kind'][] = ['discover', 'collect']
  return {
    total: count(both, [...OPEN_STATES, ...ENDED_STATES]),
    ended: count(both, ENDED_STATES),
    failed: count(both, ['failed']),
    running: count(both, ['running']),
    released: count(both, ['released']),
    waiting: { discover: count(['discover'], ['waiting']), collect: count(['collect'], ['waiting']) },
    searches: count(['discover'], [...OPEN_STATES, ...ENDED_STATES]),
    searching: count(['discover'], OPEN_STATES),
    failedSearches: count(['discover'], ['failed']),
    collecting: count(['collect'], ['released', 'running']),
    planned: count(['collect'], [...OPEN_STATES, ...ENDED_STATES]),
  }
}

/** Returns whether an unordered insert failed only because documents exist already. */
function hasOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return false
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors]
  return isDuplicateKey(error) && failures.every(({ code }) => code === error.code)
}
