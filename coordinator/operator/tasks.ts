import type { Db } from 'mongodb'
import { z } from 'zod'
import { isOperator } from '../accounts/roles.ts'
import { createExitStore } from '../exits/store.ts'
import { createAgentRegistry } from '../fleet/agents.ts'
import type { Account } from '../http/authentication.ts'
import { type FleetNames, presentTask } from '../jobs/tasks/present.ts'
import { JobTask } from '../jobs/tasks/schema.ts'
import { attemptsOf } from '../tasks/attempts.ts'
import type { TaskDocument } from '../tasks/documents.ts'

const FAILED = {
  id: '0199d1c5-6f6b-7d0e-8d5e-1b7a5a0b9c11',
  job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff',
  kind: 'discover' as const,
  ordinal: 0,
  keyword: 'bakery in Berlin',
  state: 'failed' as const,
  stored: 0,
  attempts: [
    {
      number: 3,
      started_at: '2026-03-01T11:59:48.000Z',
      ended_at: '2026-03-01T12:00:00.000Z',
      result: 'failed' as const,
      reason: 'source_unavailable' as const,
      message: 'the map site cannot be reached; its agent may have no network',
      agent: 'home',
      agent_id: 'home/6f9619ff',
      detail: 'the host name could not be resolved; check the network and the name servers of this machine',
    },
  ],
  created_at: '2026-03-01T11:58:00.000Z',
}

/** A task of a job of any user, with what operators alone see. */
export const AnyTask = JobTask.extend({ job_id: z.uuid() }).meta({
  id: 'AnyTask',
  description: 'One unit of work of a job of any user, and its attempts.',
  examples: [FAILED],
})
export type AnyTask = z.infer<typeof AnyTask>

/** Returns tasks of any jobs as operators see them. */
export async function presentTasks(db: Db, tasks: readonly TaskDocument[]): Promise<AnyTask[]> {
  const names = await fleetNames(db, tasks)
  return tasks.map((task) => ({ ...presentTask(task, names), job_id: task.job_id }))
}

/** Returns why a task failed: the code of its last attempt, and the words of the agent when it gave some. */
export function failureOf({ attempts }: Pick<AnyTask, 'attempts'>): { reason: string; detail: string } {
  const { reason = 'unknown', message = '', detail = message } = attempts.at(-1) ?? {}
  return { reason, detail }
}

/** Says why a task failed. */
export function failureText(task: Pick<AnyTask, 'attempts'>): string {
  const { reason, detail } = failureOf(task)
  return `${reason}: ${detail}`
}

/** Returns the names of the agents and exits of tasks. An exit that nobody has used for a week goes by its id. */
export async function fleetNames(db: Db, tasks: readonly TaskDocument[]): Promise<FleetNames> {
  const attempts = tasks.flatMap(attemptsOf)
  const ids = [...new Set(attempts.flatMap(({ exit }) => exit ?? []))]
  const [agents, { exits }] = await Promise.all([
    createAgentRegistry(db).namesOf([...new Set(attempts.map(({ agent_id }) => agent_id))]),
    createExitStore(db).read(ids),
  ])
  return { agents, exits: new Map(ids.map((id) => [id, exits.get(id)?.name ?? id])) }
}

/** Shows those names to operators alone. */
export const fleetNamesFor = (db: Db) => async (account: Account, tasks: readonly TaskDocument[]) =>
  (await isOperator(db, account)) ? fleetNames(db, tasks) : undefined
