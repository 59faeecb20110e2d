import type { Db } from 'mongodb'
import { using } from '../mongo/indexes.ts'
import { ENDED_STATES, type TaskDocument, type TaskState, tasksBy, tasksOf } from './documents.ts'

/** A page of a job's tasks: those behind the task with the id `after`, of one state or of all. */
export type TaskPage = { after?: string | undefined; state?: TaskState | undefined; limit: number }

/** Returns tasks of a job in their order: searches first, then the collection of places. */
export async function tasksOfJob(db: Db, job_id: string, { after, state, limit }: TaskPage): Promise<TaskDocument[]> {
  const tasks = tasksOf(db)
  const last = after === undefined ? undefined : await tasks.findOne({ _id: after, job_id })
  const page: TaskDocument[] = []
  for (const kind of last?.kind === 'collect' ? (['collect'] as const) : (['discover', 'collect'] as const)) {
    const behind = last?.kind === kind ? { ordinal: { $gt: last.ordinal } } : {}
    const filter = { job_id, kind, ...behind, ...(state && { state }) }
    const cursor = tasks.find(filter, using(tasksBy.job_kind_ordinal)).sort({ ordinal: 1 })
    if (page.length < limit) page.push(...(await cursor.limit(limit - page.length).toArray()))
  }
  return page
}

/** Returns the ordinals of the collect tasks of a job that have ended. The index alone has them. */
export async function endedCollectTasks(db: Db, job_id: string): Promise<Set<number>> {
  const filter = { job_id, state: { $in: [...ENDED_STATES] }, kind: 'collect' } as const
  const options = { ...using(tasksBy.job_state), projection: { _id: 0, ordinal: 1 } }
  return new Set((await tasksOf(db).find(filter, options).toArray()).map(({ ordinal }) => ordinal))
}
