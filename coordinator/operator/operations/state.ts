import { REST_REASONS } from '@placefleet/shared/exits/rules'
import { JOB_STATUSES } from '@placefleet/shared/job-status'
import { z } from 'zod'
import { AppError } from '../../http/errors.ts'
import { Diagnosis, diagnose } from '../doctor/diagnosis.ts'
import { readState, type SystemState } from '../doctor/state.ts'
import { apiOperation, type Operation } from '../operation.ts'

const Queue = z
  .object({
    jobs: z.object({
      pending: z.int(),
      running: z.int(),
      aborting: z.int(),
      late: z.int().describe('active jobs past their deadline'),
      oldest: z
        .object({ job_id: z.uuid(), status: z.enum(JOB_STATUSES), age: z.number().describe('seconds') })
        .optional(),
    }),
    tasks: z.object({
      waiting: z.int().describe('not in the queue yet'),
      released: z.int().describe('in the queue'),
      running: z.int().describe('run by an agent'),
      unclaimed: z.int().describe('released, but not claimed in time'),
      refused: z.int().describe('waiting because the map site refuses every address and proxy for now'),
    }),
    fleet: z.object({
      connected: z.int(),
      draining: z.int(),
      silent: z.int(),
      slots: z.int(),
      busy: z.int(),
      resting: z
        .partialRecord(z.enum(REST_REASONS), z.int())
        .describe('addresses and proxies that pause, by reason; `GET /api/v1/admin/exits` names them'),
    }),
    messages: z
      .int()
      .optional()
      .describe('messages in NATS that no agent has taken; absent while NATS does not answer'),
    listening: z.int().optional().describe('agent slots that wait for a message'),
  })
  .meta({
    id: 'Queue',
    description: 'The backlog of jobs and tasks, and the fleet that works on it.',
    examples: [
      {
        jobs: {
          pending: 1,
          running: 2,
          aborting: 0,
          late: 0,
          oldest: { job_id: '6f9619ff-8b86-4d11-b42d-00c04fc964ff', status: 'running', age: 100 },
        },
        tasks: { waiting: 12, released: 4, running: 6, unclaimed: 0, refused: 0 },
        fleet: { connected: 2, draining: 0, silent: 0, slots: 8, busy: 6, resting: {} },
        messages: 4,
        listening: 2,
      },
    ],
  })
type Queue = z.infer<typeof Queue>

/** Undefined while MongoDB does not answer. */
function queueOf({ mongodb, nats }: SystemState): Queue | undefined {
  if ('down' in mongodb) return undefined
  const { swept: _, ...jobs } = mongodb.jobs
  const queue = 'down' in nats ? {} : { messages: nats.messages, listening: nats.listening }
  const reasons = Object.groupBy(
    mongodb.exits.flatMap(({ resting_reason }) => resting_reason ?? []),
    (reason) => reason,
  )
  const resting = Object.fromEntries(Object.entries(reasons).map(([reason, exits]) => [reason, exits.length]))
  return { jobs, tasks: mongodb.tasks, fleet: { ...mongodb.fleet, resting }, ...queue }
}

const getQueue = apiOperation({
  name: 'getQueue',
  method: 'GET',
  path: '/queue',
  topic: 'fleet',
  summary: 'Get the backlog of jobs and tasks',
  answer: Queue,
  meaning: 'The backlog',
  async run({ sources }) {
    const queue = queueOf(await readState(sources))
    if (!queue) throw new AppError('unavailable', 'The database does not answer. Try again soon.')
    return queue
  },
})

/** `ops doctor` reads the same state without a coordinator. */
const getDiagnosis = apiOperation({
  name: 'getDiagnosis',
  method: 'GET',
  path: '/doctor',
  topic: 'fleet',
  summary: 'Diagnose the deployment',
  answer: Diagnosis,
  meaning: 'The diagnosis',
  run: async ({ sources }) => diagnose(await readState(sources)),
})

export const stateOperations: Operation[] = [getQueue, getDiagnosis]
