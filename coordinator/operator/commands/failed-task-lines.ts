import { harmless, strong, time } from '@placefleet/shared/commands/table'
import type { DeadTask } from '../dead-tasks.ts'
import { sentenceOf } from '../doctor/failed-tasks.ts'

/** Lists the latest failed tasks, if any: when, which agent, which job, and why. */
export function failedTaskLines({ failed_tasks: tasks }: { failed_tasks: readonly DeadTask[] }): string[] {
  if (tasks.length === 0) return []
  const lines = tasks.flatMap((task) => {
    const { ended_at, agent = 'unknown agent', job_id } = task
    const when = ended_at === undefined ? 'unknown time' : time(new Date(ended_at))
    return [`  ${when}  ${agent}  job ${job_id}`, `    ${sentenceOf(task)}`]
  })
  return ['', strong('The last failed tasks'), ...lines.map(harmless)]
}
