import type { Db } from 'mongodb'
import { tailRead } from '../mongo/locks.ts'
import { LAST_REFERENCE } from '../tasks/plan.ts'
import {
  countsOf,
  groupStages,
  sumsOf,
  type TaskCounts,
  type TaskGroup,
  type TaskSums,
  UNCLAIMED,
  type UnclaimedTask,
} from '../tasks/store.ts'
import { type JobDocument, jobsOf } from './documents.ts'

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
 * Creates the read of what a pass over a job needs, in one command. It reads the tasks before the references: a search
 * that has ended has listed all its places, so their count misses none. Both are as durable as the writes of the
 * references, because one command may store these and end the search.
 */
export function createReadPass(db: Db): ReadPass {
  const jobs = jobsOf(db)
  return async (job_id, withSums) => {
    const stages = [
      { $match: { _id: job_id } },
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
