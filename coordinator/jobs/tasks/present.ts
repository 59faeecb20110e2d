import type { Db } from 'mongodb'
import type { z } from 'zod'
import { attemptsOf } from '../../tasks/attempts.ts'
import type { TaskDocument } from '../../tasks/documents.ts'
import { tasksOfJob } from '../../tasks/of-job.ts'
import type { JobTask, JobTaskList, JobTasksQuery } from './schema.ts'

export type FleetNames = { agents: ReadonlyMap<string, string>; exits: ReadonlyMap<string, string> }

/** Returns the names that a caller may see in these tasks; undefined: none. */
type NamesFor = (tasks: readonly TaskDocument[]) => Promise<FleetNames | undefined>

export async function jobTasks(
  db: Db,
  job_id: string,
  { limit, ...page }: z.output<typeof JobTasksQuery>,
  namesFor: NamesFor,
): Promise<z.infer<typeof JobTaskList>> {
  const rows = await tasksOfJob(db, job_id, { ...page, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const names = await namesFor(shown)
  return { tasks: shown.map((task) => presentTask(task, names)), has_more: rows.length > limit }
}

/** Returns a task as the API shows it. Without names it says nothing of the fleet. */
export function presentTask(task: TaskDocument, names: FleetNames | undefined): JobTask {
  const { _id: id, kind, ordinal, keyword, audit, state, outcomes, not_before, created_at } = task
  return {
    id,
    kind,
    ordinal,
    keyword,
    audit: audit && true,
    state,
    stored: outcomes.ok,
    not_before: state === 'waiting' ? not_before?.toISOString() : undefined,
    attempts: attemptsOf(task).map(({ number, agent_id, exit = '', failure, started_at, ended_at, result }) => ({
      number,
      started_at: started_at.toISOString(),
      ended_at: ended_at?.toISOString(),
      result,
      reason: failure?.code,
      message: failure?.message,
      ...(names && {
        agent: names.agents.get(agent_id),
        agent_id,
        // Requests of a task with proxies leave through these, not through the own address of its agent.
        ...(!task.proxied && { exit: names.exits.get(exit) }),
        detail: failure?.detail,
      }),
    })),
    created_at: created_at.toISOString(),
  }
}
