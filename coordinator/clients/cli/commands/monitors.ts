import { answered } from '@placefleet/client'
import { idOption, switchOption } from '@placefleet/shared/commands/command'
import { shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'

const listCommand = cliCommand({
  words: 'monitors list',
  about: 'your monitors, oldest first, with their next and last run',
  isDefault: true,
  options: z.object({}),
  async run({ client }) {
    const { monitors } = await answered(client().api.GET('/api/v1/monitors'))
    const rows = monitors.map(({ id, name, paused, pause_reason, next_runs, last_run }) => [
      id,
      shortened(name),
      paused ? `paused: ${pause_reason ?? ''}` : next_runs[0],
      last_run?.due_at,
      last_run?.state,
    ])
    return { data: monitors, text: table(['id', 'name', 'next run', 'last run', 'ended'], rows, 'No monitors.') }
  },
})

const runCommand = cliCommand({
  words: 'monitors run',
  about: 'run a monitor now, beside its schedule',
  argument: 'monitor',
  options: z.object({ monitor: idOption('id of the monitor') }),
  async run({ client }, { monitor: id }) {
    const { job_id } = await answered(client().api.POST('/api/v1/monitors/{id}/run', { params: { path: { id } } }))
    return { data: { job_id }, text: `The job ${job_id} is created.` }
  },
})

const runsCommand = cliCommand({
  words: 'monitors runs',
  about: 'the runs of a monitor, newest first',
  argument: 'monitor',
  options: z.object({ monitor: idOption('id of the monitor') }),
  async run({ client }, { monitor: id }) {
    const { runs } = await answered(client().api.GET('/api/v1/monitors/{id}/runs', { params: { path: { id } } }))
    const rows = runs.map(({ due_at, state, job_id, reason, places, cost, ...counts }) => [
      due_at,
      state,
      job_id,
      String(places),
      ...[counts.new, counts.changed, counts.gone, counts.back].map(String),
      cost,
      shortened(reason ?? ''),
    ])
    const columns = ['due', 'state', 'job', 'places', 'new', 'changed', 'gone', 'back', 'cost', 'reason']
    return { data: runs, text: table(columns, rows, 'No runs.') }
  },
})

const changesCommand = cliCommand({
  words: 'monitors changes',
  about: 'places that are new, changed, gone or back',
  argument: 'monitor',
  options: z.object({
    monitor: idOption('id of the monitor'),
    after: z.coerce.number().int().min(0).default(0).describe('number of the last change that you have'),
    newest: switchOption('newest first'),
  }),
  async run({ client }, { monitor: id, after, newest }) {
    const order = newest === true ? ('desc' as const) : ('asc' as const)
    const params = { path: { id }, query: { after, order, limit: 1_000 } }
    const { changes } = await answered(client().api.GET('/api/v1/monitors/{id}/changes', { params }))
    const rows = changes.map(({ sequence, seen_at, type, place_key, title, fields }) => [
      ...[sequence, seen_at, type, place_key, shortened(title ?? ''), Object.keys(fields ?? {}).join(', ')],
    ])
    return { data: changes, text: table(['number', 'seen', 'what', 'place', 'title', 'fields'], rows, 'No changes.') }
  },
})

export const monitorCommands: CliCommand[] = [listCommand, runCommand, runsCommand, changesCommand]
