import type { Db } from 'mongodb'
import { recentFailures } from '../../tasks/overview.ts'
import { type AnyTask, failureText, presentTasks } from '../tasks.ts'
import { counted, span } from './words.ts'

/** The failed tasks. `latest`: the newest first, of any age; `age`: seconds since its newest. */
export type FailedTasks = { lastHour: number; latest: AnyTask[]; age?: number }

const MOST_SHOWN = 5

export async function readFailedTasks(db: Db): Promise<FailedTasks> {
  const { lastHour, latest } = await recentFailures(db, MOST_SHOWN)
  const [newest] = latest
  return { lastHour, latest: await presentTasks(db, latest), ...(newest && { age: newest.age }) }
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
  const { agent } = last.attempts.at(-1) ?? {}
  const by = agent === undefined ? '' : ` on agent ${agent}`
  return [`${counted(lastHour, 'task')} failed in the last hour, the last one${by}: ${failureText(last)}`]
}
