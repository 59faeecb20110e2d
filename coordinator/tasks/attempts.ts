import type { Document } from 'mongodb'
import type { AttemptResult, EndedAttempt, TaskDocument, TaskFailure, TaskState } from './documents.ts'

/** Kept attempts of a task. Only one that the map site refuses again and again has more. */
const KEPT_ATTEMPTS = 10

/** Returns the fields that record the end of a running attempt. The attempt that ends its task needs no record. */
export function endedAttempt(result: AttemptResult, failure?: TaskFailure): Document {
  const ended = {
    number: '$attempt',
    agent_id: '$agent_id',
    exit: '$exit',
    started_at: '$started_at',
    ended_at: '$$NOW',
    result,
    ...(failure && { failure: { $literal: failure } }),
  }
  return { attempts: { $slice: [{ $concatArrays: [{ $ifNull: ['$attempts', []] }, [ended]] }, -KEPT_ATTEMPTS] } }
}

/** An attempt that has ended, or runs: then it has neither an end nor a result. */
export type Attempt = Omit<EndedAttempt, 'ended_at' | 'result'> & Partial<Pick<EndedAttempt, 'ended_at' | 'result'>>

const RESULT_OF: Partial<Record<TaskState, AttemptResult>> = { done: 'finished', cancelled: 'cancelled' }

/** Returns the latest attempts of a task, oldest first, with the one that runs or ended the task. */
export function attemptsOf(task: TaskDocument): Attempt[] {
  const { attempts = [], attempt: number, agent_id, exit, started_at, ended_at, state } = task
  const isRecorded = attempts.at(-1)?.number === number
  if (isRecorded || agent_id === undefined || started_at === undefined) return attempts
  const result = RESULT_OF[state]
  const last: Attempt = { number, agent_id, started_at, ...(exit !== undefined && { exit }), ...(result && { result }) }
  return [...attempts, { ...last, ...(result && ended_at && { ended_at }) }]
}
