import type { Db } from 'mongodb'
import { z } from 'zod'
import { createAgentRegistry } from '../fleet/agents.ts'
import type { TaskDocument } from '../tasks/documents.ts'

/** A task that failed in all its attempts. */
export const DeadTask = z
  .object({
    id: z.uuid(),
    job_id: z.uuid(),
    kind: z.enum(['discover', 'collect']),
    keyword: z.string().optional().describe('the keyword of a search task'),
    ordinal: z.int().describe('the number of the task in its job, from 0'),
    failures: z.int().describe('failed attempts'),
    reason: z.string().optional(),
    message: z.string().optional().describe('as its user sees it'),
    detail: z.string().optional().describe('the cause in the words of the agent'),
    agent_id: z.string().optional().describe('the agent of the last attempt'),
    agent: z.string().optional().describe('the name of that agent'),
    ended_at: z.iso.datetime().optional(),
  })
  .meta({
    id: 'DeadTask',
    description: 'A task that failed in all its attempts.',
    examples: [
      {
        id: '0199d1c5-6f6b-7d0e-8d5e-1b7a5a0b9c11',
        job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff',
        kind: 'discover',
        keyword: 'bakery in Berlin',
        ordinal: 0,
        failures: 3,
        reason: 'source_unavailable',
        message: 'the map site cannot be reached; its agent may have no network',
        detail: 'the host name could not be resolved; check the network and the name servers of this machine',
        agent_id: 'home/6f9619ff',
        agent: 'home',
        ended_at: '2026-03-01T12:00:00.000Z',
      },
    ],
  })
export type DeadTask = z.infer<typeof DeadTask>

/** Returns failed tasks as operators see them, each with the name of its agent. */
export async function presentDeadTasks(db: Db, tasks: readonly TaskDocument[]): Promise<DeadTask[]> {
  const names = await createAgentRegistry(db).namesOf(tasks.flatMap(({ agent_id }) => agent_id ?? []))
  return tasks.map((task) => present(task, names.get(task.agent_id ?? '')))
}

function present(task: TaskDocument, agent: string | undefined): DeadTask {
  const { _id: id, job_id, kind, keyword, ordinal, failures, failure, agent_id, ended_at } = task
  const { code: reason, ...texts } = failure ?? {}
  return {
    id,
    job_id,
    kind,
    ordinal,
    failures,
    ...texts,
    keyword,
    reason,
    agent_id,
    agent,
    ended_at: ended_at?.toISOString(),
  }
}
