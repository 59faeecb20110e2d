import type { Db } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { ago } from '../mongo/time.ts'
import { OPEN_STATES, type TaskDocument, tasksBy, tasksOf } from './documents.ts'

/** Returns failed tasks, the latest first, of one job or of all jobs. */
export function deadTasks(
  db: Db,
  { job_id, limit }: { job_id?: string | undefined; limit: number },
): Promise<TaskDocument[]> {
  return tasksOf(db)
    .find({ state: 'failed', ...(job_id === undefined ? {} : { job_id }) })
    .sort({ ended_at: -1 })
    .limit(limit)
    .toArray()
}

/** `age`: seconds since the task failed, by the database's clock. */
type FailedTaskDocument = TaskDocument & { age: number }

/** Counts the tasks that failed within the last hour, and returns the latest failed tasks of any age. */
export async function recentFailures(
  db: Db,
  limit: number,
): Promise<{ lastHour: number; latest: FailedTaskDocument[] }> {
  const failed = { state: 'failed' } as const
  const age = { $dateDiff: { startDate: '$ended_at', endDate: '$$NOW', unit: 'second' } }
  const stages = [{ $match: failed }, { $sort: { ended_at: -1 } }, { $limit: limit }, { $set: { age } }]
  const [lastHour, latest] = await Promise.all([
    tasksOf(db).countDocuments(
      { ...failed, $expr: { $gt: ['$ended_at', ago(1, 'hour')] } },
      using(tasksBy.state_ended),
    ),
    tasksOf(db).aggregate<FailedTaskDocument>(stages, using(tasksBy.state_ended)).toArray(),
  ])
  return { lastHour, latest }
}

/** The tasks that have not ended. */
export type TaskBacklog = {
  waiting: number
  released: number
  running: number
  /** Released tasks that no agent claimed within the time that a free agent needs. */
  unclaimed: number
  /** Tasks that wait because the map site refuses every exit for now. */
  refused: number
  /** Tasks with proxies that wait for an agent which may have them. */
  proxied: number
}

/** A free agent claims within a second. After this time the sweeper notifies the agents again. */
const UNCLAIMED_SECONDS = 10

/** Counts the tasks that have not ended, and those among them that no agent claims. */
export async function taskBacklog(db: Db): Promise<TaskBacklog> {
  const late = ago(UNCLAIMED_SECONDS, 'second')
  const unclaimed = { $and: [{ $eq: ['$state', 'released'] }, { $lt: ['$released_at', late] }] }
  const refused = { $and: [{ $gt: ['$not_before', '$$NOW'] }, { $gt: ['$refused', null] }] }
  const groups = await tasksOf(db)
    .aggregate<{ _id: TaskDocument['state']; tasks: number; unclaimed: number; refused: number; proxied: number }>([
      { $match: { state: { $in: OPEN_STATES } } },
      {
        $group: {
          _id: '$state',
          tasks: { $sum: 1 },
          unclaimed: { $sum: { $cond: [unclaimed, 1, 0] } },
          refused: { $sum: { $cond: [refused, 1, 0] } },
          proxied: { $sum: { $cond: ['$proxied', 1, 0] } },
        },
      },
    ])
    .toArray()
  const group = (state: TaskDocument['state']) => groups.find(({ _id }) => _id === state)
  return {
    waiting: group('waiting')?.tasks ?? 0,
    released: group('released')?.tasks ?? 0,
    running: group('running')?.tasks ?? 0,
    unclaimed: group('released')?.unclaimed ?? 0,
    refused: group('waiting')?.refused ?? 0,
    proxied: (group('waiting')?.proxied ?? 0) + (group('released')?.proxied ?? 0),
  }
}

/** Counts the running tasks of each agent. */
export async function runningTasks(db: Db): Promise<Map<string, number>> {
  const groups = await tasksOf(db)
    .aggregate<{ _id: string; tasks: number }>([
      { $match: { state: 'running' } },
      { $group: { _id: '$agent_id', tasks: { $sum: 1 } } },
    ])
    .toArray()
  return new Map(groups.map(({ _id, tasks: count }) => [_id, count]))
}

/** The tasks of an agent that are shown, and the latest tasks of all agents among which its ended ones are found. */
const MOST_OF_AGENT = 50
const MOST_SEARCHED = 2_000

/** Returns the tasks that an agent runs, then those of the latest ended tasks that it ended, the latest first. */
export async function tasksOfAgent(db: Db, agent_id: string): Promise<TaskDocument[]> {
  const latest = async (state: 'running' | 'done' | 'failed'): Promise<TaskDocument[]> =>
    tasksOf(db)
      .aggregate<TaskDocument>(
        [
          { $match: { state } },
          { $sort: { ended_at: -1 } },
          { $limit: MOST_SEARCHED },
          { $match: { agent_id } },
          { $limit: MOST_OF_AGENT },
        ],
        using(tasksBy.state_ended),
      )
      .toArray()
  const [running, done, failed] = await Promise.all([latest('running'), latest('done'), latest('failed')])
  const ended = [...done, ...failed].sort((one, other) => Number(other.ended_at) - Number(one.ended_at))
  return [...running, ...ended].slice(0, MOST_OF_AGENT)
}
