import type { Db } from 'mongodb'
import { z } from 'zod'
import { type TaskDocument, tasksOf } from '../tasks/documents.ts'
import { deadTasks } from '../tasks/overview.ts'

/** A task that failed in all its attempts. */
export const DeadTask = z
  .object({
    id: z.string(),
    job_id: z.uuid(),
    kind: z.enum(['discover', 'collect']),
    keyword: z.string().optional().describe('the keyword of a search task'),
    ordinal: z.int().describe('the number of the task in its job, from 0'),
    failures: z.int().describe('failed attempts'),
    reason: z.string().optional(),
    message: z.string().optional(),
    agent_id: z.string().optional().describe('the agent of the last attempt'),
    ended_at: z.iso.datetime().optional(),
  })
  .meta({
    id: 'DeadTask',
    description: 'A task that failed in all its attempts.',
    examples: [
      {
        id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff:discover:0',
        job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff',
        kind: 'discover',
        keyword: 'bakery in Berlin',
        ordinal: 0,
        failures: 3,
        reason: 'blocked',
        message: 'The map site refused every attempt.',
        agent_id: 'home/6f9619ff',
        ended_at: '2026-03-01T12:00:00.000Z',
      },
    ],
  })
export type DeadTask = z.infer<typeof DeadTask>

/** Lists the tasks that failed in all their attempts, latest first, of one job or of all. */
export async function listDeadTasks(
  db: Db,
  filter: { job_id?: string | undefined; limit: number },
): Promise<DeadTask[]> {
  return (await deadTasks(tasksOf(db), filter)).map(present)
}

function present({
  _id: id,
  job_id,
  kind,
  keyword,
  ordinal,
  failures,
  failure,
  agent_id,
  ended_at,
}: TaskDocument): DeadTask {
  return {
    ...{ id, job_id, kind, ordinal, failures },
    ...(keyword === undefined ? {} : { keyword }),
    ...(failure === undefined ? {} : { reason: failure.code, message: failure.message }),
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(ended_at === undefined ? {} : { ended_at: ended_at.toISOString() }),
  }
}
