import { Job } from '@placefleet/shared/job'
import { z } from 'zod'
import { queryInteger } from '../../http/params.ts'
import { Result } from '../../results/schema.ts'

/** One event of a followed job. */
export const FollowEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('place'),
    position: z
      .int()
      .min(1)
      .describe('the number of the place within the job: 1, 2, 3 …; send the last one as `after`'),
    place: Result,
  }),
  z
    .object({ type: z.literal('progress') })
    .extend(Job.pick({ status: true, result_count: true, total_cost: true, progress: true, outcomes: true }).shape),
  z.object({ type: z.literal('end'), status: Job.shape.status }),
])
export type FollowEvent = z.infer<typeof FollowEvent>

/** One server-sent event. */
export const StreamedEvent = z.looseObject({
  id: z.string().describe('the cursor: send the last one as `Last-Event-ID`'),
  data: z.string().meta({ contentMediaType: 'application/json', description: 'one object of the NDJSON stream' }),
  retry: z.int().describe('milliseconds to wait before a reconnect'),
})

/** The query of the two streams. */
export const FollowQuery = z.strictObject({
  after: queryInteger({ min: 0, fallback: 0, describe: 'the position of the last place that you received' }),
  places: z.enum(['true', 'false']).default('true').describe('false: only the progress and the end'),
})

/** The query of `GET /jobs/{id}`. */
export const WaitQuery = z.strictObject({
  wait: queryInteger({
    min: 1,
    max: 60,
    fallback: 0,
    describe: 'the longest time to wait for a change of the status, in seconds',
  }),
})
