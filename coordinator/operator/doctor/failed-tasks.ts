import type { Db } from 'mongodb'
import { recentFailures } from '../../tasks/overview.ts'
import { type AnyTask, failureOf, presentTasks } from '../tasks.ts'
import { type Check, type Finding, finding, found } from './findings.ts'

/** The failed tasks. `latest`: the newest first, of any age; `age`: seconds since its newest. */
export type FailedTasks = { lastHour: number; latest: AnyTask[]; age?: number }

const MOST_SHOWN = 5

export async function readFailedTasks(db: Db): Promise<FailedTasks> {
  const { lastHour, latest } = await recentFailures(db, MOST_SHOWN)
  const [newest] = latest
  return { lastHour, latest: await presentTasks(db, latest), ...(newest && { age: newest.age }) }
}

/** The check of failed tasks: it warns for an hour after a task failed in all its attempts. */
export function failedTasksCheck({ lastHour, age }: FailedTasks): Check {
  const findings = [
    lastHour === 0 ? finding('no_failed_tasks') : finding('failed_tasks', { tasks: lastHour }),
    ...(age === undefined ? [] : [finding('last_failure', { age })]),
  ]
  return found('failures', findings, lastHour > 0 ? { warning: true } : {})
}

/** Says why the last task failed, if that was within the last hour. */
export function failedTasksAdvice({ lastHour, latest: [last] }: FailedTasks): Finding[] {
  if (lastHour === 0 || !last) return []
  const { agent = '' } = last.attempts.at(-1) ?? {}
  return [finding('tasks_failed', { tasks: lastHour, agent, ...failureOf(last) })]
}
