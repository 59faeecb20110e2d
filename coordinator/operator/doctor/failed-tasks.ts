import type { Db } from 'mongodb'
import { recentFailures } from '../../tasks/overview.ts'
import { type DeadTask, presentDeadTasks } from '../dead-tasks.ts'
import { counted, span } from './words.ts'

/** The failed tasks. `latest`: the newest first, of any age; `age`: seconds since its newest. */
export type FailedTasks = { lastHour: number; latest: DeadTask[]; age?: number }

const MOST_SHOWN = 5

export async function readFailedTasks(db: Db): Promise<FailedTasks> {
  const { lastHour, latest } = await recentFailures(db, MOST_SHOWN)
  const [newest] = latest
  return { lastHour, latest: await presentDeadTasks(db, latest), ...(newest && { age: newest.age }) }
}

/** The check of failed tasks: it warns for an hour after a task failed in all its attempts. */
export function failedTasksCheck({ lastHour, age }: FailedTasks) {
  const last = age === undefined ? '' : `; the last one ${span(age)} ago`
  const detail = `${lastHour === 0 ? 'no task' : counted(lastHour, 'task')} failed in the last hour${last}`
  return { name: 'failures', ok: true, detail, ...(lastHour > 0 && { warning: true }) }
}

/** Says why the last task failed, if that was within the last hour. */
export function failedTasksAdvice({ lastHour, latest: [last] }: FailedTasks): string[] {
  if (lastHour === 0 || !last) return []
  const by = last.agent === undefined ? '' : ` on agent ${last.agent}`
  return [`${counted(lastHour, 'task')} failed in the last hour, the last one${by}: ${sentenceOf(last)}`]
}

/** Says why a task failed: its code, and the words of the agent when it gave some. */
export const sentenceOf = ({ reason = 'unknown', message = '', detail = message }: DeadTask): string =>
  `${reason}: ${detail}`
