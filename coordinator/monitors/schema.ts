import { JobData, SentJobRequest } from '@placefleet/shared/job'
import { jobExample } from '@placefleet/shared/job-example'
import { textSchema } from '@placefleet/shared/text'
import { z } from 'zod'
import { queryInteger } from '../http/params.ts'
import { RUN_STATES } from './documents.ts'
import { Schedule } from './schedule.ts'

const timestamp = z.iso.datetime()

const fields = {
  name: textSchema({ min: 1, max: 200 }).describe('a name for you'),
  job: SentJobRequest.describe('the job that each run creates, as for `POST /jobs`'),
  schedule: Schedule,
  jitter_seconds: z
    .int()
    .min(0)
    .max(900)
    .describe('largest delay of a run in seconds; spreads the runs of many monitors'),
  ends_at: timestamp.describe('no run begins after this time'),
  watch_ratings: z.boolean().describe('also report changes of the rating and of the number of reviews'),
}

const { proxy_count: _, ...requestExample } = { name: jobExample.name, ...jobExample.data, only_new: true }

const pauseReason = textSchema({ max: 500 }).describe('with `paused: true`: why')

export const CreateMonitorRequest = z
  .strictObject({
    ...fields,
    jitter_seconds: fields.jitter_seconds.default(0),
    ends_at: fields.ends_at.optional(),
    watch_ratings: fields.watch_ratings.default(false),
    paused: z.boolean().default(false).describe('true creates it paused'),
    pause_reason: pauseReason.optional(),
  })
  .meta({
    id: 'CreateMonitorRequest',
    description: 'A job that runs on a schedule.',
    examples: [
      {
        name: 'New dentists in Limassol',
        job: requestExample,
        schedule: { cron: '0 6 * * 1', timezone: 'Asia/Nicosia' },
      },
    ],
  })
export type CreateMonitorRequest = z.infer<typeof CreateMonitorRequest>

export const ChangeMonitorRequest = z
  .strictObject({
    ...z.object(fields).partial().shape,
    ends_at: fields.ends_at.nullable().optional().describe('no run begins after this time; null: no end'),
    paused: z.boolean().optional().describe('true pauses it; false resumes it, without the missed runs'),
    pause_reason: pauseReason.optional(),
  })
  .meta({
    id: 'ChangeMonitorRequest',
    description: 'The fields of a monitor to change.',
    examples: [{ paused: true, pause_reason: 'holidays' }],
  })
export type ChangeMonitorRequest = z.infer<typeof ChangeMonitorRequest>

const runExample = {
  due_at: '2026-03-02T04:00:00.000Z',
  state: 'completed' as const,
  job_id: jobExample.id,
  places: 42,
  new: 3,
  changed: 5,
  gone: 1,
  back: 0,
  cost: '0.133000',
  started_at: '2026-03-02T04:00:03.120Z',
  ended_at: '2026-03-02T04:06:41.877Z',
}

const count = z.int().min(0)

export const MonitorRun = z
  .object({
    due_at: timestamp.describe('when it was due; for a run by hand, when it was requested'),
    state: z.enum(RUN_STATES).describe('`due`: its job is being created; `skipped`: it got no job, see `reason`'),
    reason: z
      .string()
      .optional()
      .describe(
        'of `failed`: as for a job. Of `skipped`: begins with `overlap` (the previous run had not ended), `missed` (no coordinator ran at that time), `paused`, or the error of the creation, such as `insufficient_credits` or `concurrent_job_limit`',
      ),
    job_id: z.string().optional().describe('its job'),
    places: count.describe('places that it stored; this and the next five count once it has ended'),
    new: count.describe('places that its monitor reports as new'),
    changed: count,
    gone: count,
    back: count,
    cost: z.string().describe('what it cost: credits, with 6 decimals'),
    started_at: timestamp.optional(),
    ended_at: timestamp.optional(),
  })
  .meta({ id: 'MonitorRun', description: 'One run of a monitor.', examples: [runExample] })

export const MonitorRuns = z
  .object({ runs: z.array(MonitorRun) })
  .meta({ id: 'MonitorRuns', description: 'Runs, newest first.', examples: [{ runs: [runExample] }] })

export const RunsQuery = z.strictObject({
  limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'number of runs' }),
})

const monitorExample = {
  id: '7b0e5a0c-5f6d-4f43-9d0c-6a1f0c1f2a77',
  name: 'New dentists in Limassol',
  job: { name: jobExample.name, ...jobExample.data, only_new: true },
  schedule: { cron: '0 6 * * 1', timezone: 'Asia/Nicosia' },
  jitter_seconds: 0,
  watch_ratings: false,
  paused: false,
  knows_area: true,
  next_runs: ['2026-03-09T04:00:00.000Z', '2026-03-16T04:00:00.000Z'],
  last_run: runExample,
  created_at: '2026-02-27T10:00:00.000Z',
  updated_at: '2026-02-27T10:00:00.000Z',
}

export const Monitor = z
  .object({
    id: z.uuid(),
    name: z.string(),
    job: JobData.extend({ name: z.string() }).describe('the job that each run creates'),
    schedule: Schedule,
    jitter_seconds: z.int().min(0),
    ends_at: timestamp.optional(),
    watch_ratings: z.boolean(),
    knows_area: z
      .boolean()
      .describe('whether its runs have found nearly all places; until then no place counts as `new`'),
    paused: z.boolean(),
    pause_reason: z
      .string()
      .optional()
      .describe('begins with `insufficient_credits`, `key_limit` or `failures` when the service paused it'),
    next_runs: z.array(timestamp).describe('when the next five runs begin; empty while it is paused'),
    last_run: MonitorRun.optional(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Monitor', description: 'A job that is created again and again.', examples: [monitorExample] })
export type Monitor = z.infer<typeof Monitor>

export const MonitorList = z
  .object({ monitors: z.array(Monitor) })
  .meta({ id: 'MonitorList', description: 'All monitors, oldest first.', examples: [{ monitors: [monitorExample] }] })

export const StartedRun = z
  .object({ job_id: z.uuid() })
  .meta({ id: 'StartedRun', description: 'The job of the run.', examples: [{ job_id: jobExample.id }] })
