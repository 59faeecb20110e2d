import { FailureCode } from '@placefleet/shared/outcome'
import { z } from 'zod'
import { queryInteger, uuid } from '../../http/params.ts'
import { ATTEMPT_RESULTS, TASK_STATES } from '../../tasks/documents.ts'

const timestamp = z.iso.datetime()

const TaskAttempt = z.object({
  number: z.int().min(1),
  started_at: timestamp,
  ended_at: timestamp.optional().describe('absent while it runs'),
  result: z
    .enum(ATTEMPT_RESULTS)
    .optional()
    .describe(
      'absent while it runs. `refused`: the map site refused it for now; `handed_back`: its agent gave it back, as when it stops; `lost`: its agent stopped answering',
    ),
  reason: FailureCode.optional().describe('why it failed'),
  message: z.string().optional(),
  agent: z.string().optional().describe('the name of its agent; only operators see it'),
  agent_id: z.string().optional().describe('the process of its agent; only operators see it'),
  exit: z
    .string()
    .optional()
    .describe('the name of the address of its agent, if the task has no proxies; only operators see it'),
  detail: z.string().optional().describe('the cause in the words of the agent; only operators see it'),
})

const taskExample = {
  id: '0199d1c5-6f6b-7d0e-8d5e-1b7a5a0b9c11',
  kind: 'discover' as const,
  ordinal: 0,
  keyword: 'dentist in Limassol',
  state: 'done' as const,
  stored: 0,
  attempts: [
    {
      number: 1,
      started_at: '2026-03-02T09:15:01.000Z',
      ended_at: '2026-03-02T09:15:09.000Z',
      result: 'refused' as const,
    },
    {
      number: 2,
      started_at: '2026-03-02T09:16:09.000Z',
      ended_at: '2026-03-02T09:16:14.000Z',
      result: 'finished' as const,
    },
  ],
  created_at: '2026-03-02T09:15:00.000Z',
}

/** A task, as the timeline of its job shows it. */
export const JobTask = z
  .object({
    id: z.uuid(),
    kind: z.enum(['discover', 'collect']).describe('`discover`: one search; `collect`: a group of up to 20 places'),
    ordinal: z.int().min(0).describe('its number among the tasks of its kind, from 0'),
    keyword: z.string().optional().describe('of a search'),
    audit: z.boolean().optional().describe('true for a search that only estimates how many places there are'),
    state: z.enum(TASK_STATES).describe('`waiting`: not in the queue yet; `released`: in the queue'),
    stored: z.int().min(0).describe('places that its latest attempt stored'),
    not_before: timestamp.optional().describe('of `waiting`: it is not tried before this time'),
    attempts: z.array(TaskAttempt).describe('its latest ten, oldest first'),
    created_at: timestamp,
  })
  .meta({ id: 'JobTask', description: 'One unit of work of a job, and its attempts.', examples: [taskExample] })
export type JobTask = z.infer<typeof JobTask>

export const JobTaskList = z
  .object({ tasks: z.array(JobTask), has_more: z.boolean().describe('whether more tasks follow') })
  .meta({
    id: 'JobTaskList',
    description: 'Tasks in their order, searches first.',
    examples: [{ tasks: [taskExample], has_more: false }],
  })

export const JobTasksQuery = z.strictObject({
  after: uuid.optional().describe('the id of the last task that you have'),
  state: z.enum(TASK_STATES).optional().describe('only tasks in this state'),
  limit: queryInteger({ min: 1, max: 500, fallback: 100, describe: 'number of tasks' }),
})
