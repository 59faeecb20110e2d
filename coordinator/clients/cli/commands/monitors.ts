import { firstOf, jobParts, type Monitor } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { idOption, limitOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { type CliCommand, type CliContext, cliCommand } from '../context.ts'
import { jobOptions, requestOf } from '../job-options.ts'
import { columnsOption, listing } from '../listing.ts'

const monitor = idOption('id of the monitor')

const listCommand = cliCommand({
  words: 'monitors list',
  about: 'your monitors, oldest first, with their next and last run',
  isDefault: true,
  options: z.object({ columns: columnsOption }),
  async run(context, { columns }) {
    const monitors = await context.client().monitors.list()
    const columnsOf = ({ id, name, paused, pause_reason, next_runs, last_run }: Monitor) => ({
      id,
      name,
      'next run': paused ? `paused: ${pause_reason ?? ''}` : next_runs[0],
      'last run': last_run?.due_at,
      ended: last_run?.state,
    })
    return listing(context, monitors, columnsOf, { columns, none: 'No monitors.' })
  },
})

const createCommand = cliCommand({
  words: 'monitors create',
  about: 'create a monitor: the same job again and again',
  argument: 'keywords',
  options: z.object({
    ...jobOptions,
    every: z.string().optional().meta(shownAs('duration', 'how often, e.g. 12h or 7d')),
    cron: z.string().optional().meta(shownAs('fields', 'or when, e.g. "0 6 * * 1"')),
    timezone: z.string().default('UTC').meta(shownAs('name', 'the time zone of --cron (default UTC)')),
    watch_ratings: switchOption('report changes of ratings, too'),
  }),
  async run({ client, terminal }, { every, cron, timezone, watch_ratings, ...options }) {
    if ((every === undefined) === (cron === undefined)) throw new UsageError('Pass --every or --cron.')
    const job = await requestOf(options)
    const schedule = cron === undefined ? { every: every ?? '' } : { cron, timezone }
    const request = { name: job.name, job, schedule, ...(watch_ratings !== undefined && { watch_ratings }) }
    const isDivided = jobParts(job).length > 1
    const monitors: Monitor[] = []
    for await (const monitor of client().monitors.createInParts(request)) {
      monitors.push(monitor)
      if (isDivided) terminal.err(`Monitor ${monitor.id} is created: ${monitor.name}\n`)
    }
    return {
      data: monitors.length === 1 ? monitors[0] : monitors,
      text: monitors.map(({ id }) => id).join('\n'),
    }
  },
})

/** Returns a command that changes one monitor and says so. */
const changeCommand = (
  word: string,
  about: string,
  change: (client: ReturnType<CliContext['client']>, id: string) => Promise<unknown>,
  done: string,
) =>
  cliCommand({
    words: `monitors ${word}`,
    about,
    argument: 'monitor',
    options: z.object({ monitor }),
    async run({ client }, { monitor: id }) {
      await change(client(), id)
      return { data: { id, [done]: true }, text: `The monitor ${id} is ${done}.` }
    },
  })

const pauseCommand = changeCommand('pause', 'pause a monitor', ({ monitors }, id) => monitors.pause(id), 'paused')
const resumeCommand = changeCommand(
  'resume',
  'let a paused monitor run again',
  ({ monitors }, id) => monitors.resume(id),
  'resumed',
)
const deleteCommand = changeCommand(
  'delete',
  'delete a monitor with its changes; its jobs stay',
  ({ monitors }, id) => monitors.delete(id),
  'deleted',
)

const runCommand = cliCommand({
  words: 'monitors run',
  about: 'run a monitor now, beside its schedule',
  argument: 'monitor',
  options: z.object({ monitor }),
  async run({ client }, { monitor: id }) {
    const job_id = await client().monitors.run(id)
    return { data: { job_id }, text: `The job ${job_id} is created.` }
  },
})

const runsCommand = cliCommand({
  words: 'monitors runs',
  about: 'the runs of a monitor, newest first',
  argument: 'monitor',
  options: z.object({ monitor, columns: columnsOption }),
  async run(context, { monitor: id, columns }) {
    const runs = await context.client().monitors.runs(id)
    const columnsOf = ({ due_at, state, job_id, reason, places, cost, ...counts }: (typeof runs)[number]) => ({
      due: due_at,
      state,
      job: job_id,
      places,
      new: counts.new,
      changed: counts.changed,
      gone: counts.gone,
      back: counts.back,
      cost,
      reason: reason ?? '',
    })
    return listing(context, runs, columnsOf, { columns, none: 'No runs.' })
  },
})

const changesCommand = cliCommand({
  words: 'monitors changes',
  about: 'places that are new, changed, gone or back, oldest first',
  argument: 'monitor',
  options: z.object({
    monitor,
    after: z.coerce.number().int().min(0).default(0).describe('number of the last change that you have'),
    newest: switchOption('newest first, whatever `after` says'),
    limit: limitOption(99_999),
    columns: columnsOption,
  }),
  async run(context, { monitor: id, after, newest, limit, columns }) {
    const { monitors } = context.client()
    const changes = await firstOf(newest === true ? monitors.newestChanges(id) : monitors.changes(id, { after }), limit)
    const columnsOf = ({ sequence, seen_at, type, place_key, title, fields }: (typeof changes)[number]) => ({
      number: sequence,
      seen: seen_at,
      what: type,
      place: place_key,
      title: title ?? '',
      fields: Object.keys(fields ?? {}).join(', '),
    })
    return listing(context, changes, columnsOf, { columns, none: 'No changes.' })
  },
})

export const monitorCommands: CliCommand[] = [
  listCommand,
  createCommand,
  pauseCommand,
  resumeCommand,
  deleteCommand,
  runCommand,
  runsCommand,
  changesCommand,
]
