import { type components, firstOf, type Job, jobParts } from '@placefleet/client'
import { idOption, limitOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { facts, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'
import { jobOptions, requestOf } from '../job-options.ts'
import { columnsOption, listing } from '../listing.ts'
import { duration, jobFacts, watchJob } from '../watch-job.ts'

type EstimateAnswer = components['schemas']['EstimateAnswer']

const job = idOption('id of the job')

const listCommand = cliCommand({
  words: 'jobs list',
  about: 'your jobs, newest first',
  isDefault: true,
  options: z.object({
    search: z.string().optional().meta(shownAs('text', 'part of the name or of a keyword')),
    limit: limitOption(20),
    columns: columnsOption,
  }),
  async run(context, { search = '', limit, columns }) {
    const jobs = await firstOf(context.client().jobs.list({ search, limit: Math.min(limit, 100) }), limit)
    const columnsOf = ({ id, name, status, result_count, total_cost, created_at }: Job) => ({
      id,
      name,
      status,
      places: result_count,
      cost: total_cost,
      created: created_at,
    })
    return listing(context, jobs, columnsOf, { columns, none: 'No jobs.' })
  },
})

const showCommand = cliCommand({
  words: 'jobs show',
  about: 'one job',
  argument: 'job',
  options: z.object({ job }),
  run: async ({ client }, { job }) => shown(await client().jobs.get(job)),
})

const estimateCommand = cliCommand({
  words: 'jobs estimate',
  about: 'estimate the cost of a job',
  argument: 'keywords',
  options: z.object(jobOptions),
  async run({ client }, options) {
    const parts = jobParts(await requestOf(options))
    const estimates = []
    for (const part of parts) estimates.push(await client().jobs.estimate({ max_reviews: 0, ...part }))
    return { data: parts.length === 1 ? estimates[0] : estimates, text: estimates.map(estimateText).join('\n\n') }
  },
})

function estimateText({ estimate, balance }: EstimateAnswer): string {
  const { places, places_max, places_within_max_cost, total, total_max, description, seconds, fast_mode_seconds } =
    estimate
  const bought = places_within_max_cost === undefined ? {} : { places_within_max_cost }
  const takes = `about ${duration(seconds.likely)} (${duration(seconds.low)} to ${duration(seconds.high)})`
  const fast =
    fast_mode_seconds === undefined
      ? {}
      : { with_fast_mode: `about ${duration(fast_mode_seconds)}, with the fields of the search results only` }
  const figures = { places, places_max, ...bought, total, total_max, takes, ...fast, balance: balance.current }
  return `${description}\n${facts(figures)}`
}

const createCommand = cliCommand({
  words: 'jobs create',
  about: 'create a job and print its id, without waiting',
  argument: 'keywords',
  options: z.object({
    ...jobOptions,
    idempotency_key: z
      .string()
      .min(1)
      .optional()
      .meta(shownAs('key', 'a repeated key creates no second job within 24 hours')),
  }),
  async run({ client, terminal }, { idempotency_key: idempotencyKey, ...options }) {
    const request = await requestOf(options)
    const isDivided = jobParts(request).length > 1
    const ids: string[] = []
    for await (const { id } of client().jobs.createInParts(request, { idempotencyKey })) {
      ids.push(id)
      if (isDivided) terminal.err(`Job ${id} is created.\n`)
    }
    const [id] = ids
    return { data: ids.length === 1 ? { id } : { ids }, text: ids.join('\n') }
  },
})

const againCommand = cliCommand({
  words: 'jobs again',
  about: 'create a job with the settings of another one and print its id; a job with proxies needs them again',
  argument: 'job',
  options: z.object({ job, proxies: jobOptions.proxies, name: jobOptions.name }),
  async run({ client }, { job, proxies, name }) {
    const changes = { ...(proxies === undefined ? {} : { proxies }), ...(name === undefined ? {} : { name }) }
    const { id } = await client().jobs.again(job, { changes })
    return { data: { id }, text: id }
  },
})

const watchCommand = cliCommand({
  words: 'jobs watch',
  about: 'follow a job to its end; the exit code is 6 when it does not complete',
  argument: 'job',
  options: z.object({ job }),
  async run({ client, terminal }, { job }) {
    const watched = await watchJob(client(), job, terminal)
    return { ...shown(watched.job), failed: watched.job.status !== 'completed' }
  },
})

const cancelCommand = cliCommand({
  words: 'jobs cancel',
  about: 'cancel a job; its stored places stay and are billed',
  argument: 'job',
  options: z.object({ job }),
  async run({ client }, { job }) {
    await client().jobs.cancel(job)
    return { data: { id: job, cancelled: true }, text: `The job ${job} is cancelled, or will be soon.` }
  },
})

const deleteCommand = cliCommand({
  words: 'jobs delete',
  about: 'delete a job with its places',
  argument: 'job',
  options: z.object({ job }),
  async run({ client }, { job }) {
    await client().jobs.delete(job)
    return { data: { id: job, deleted: true }, text: `The job ${job} is deleted.` }
  },
})

const costsCommand = cliCommand({
  words: 'jobs costs',
  about: 'the cost of a job by item',
  argument: 'job',
  options: z.object({ job }),
  async run({ client }, { job: id }) {
    const costs = await client().jobs.costs(id)
    const rows = costs.items.map(({ event_type, quantity, cost_credits }) => [event_type, quantity, cost_credits])
    const text = table(['item', 'quantity', 'credits'], [...rows, ['total', '', costs.total_credits]], '')
    return { data: costs, text }
  },
})

const tasksCommand = cliCommand({
  words: 'jobs tasks',
  about: 'what a job does or did: its searches and groups of places, and how each attempt ended',
  argument: 'job',
  options: z.object({ job, limit: limitOption(100) }),
  async run({ client }, { job: id, limit }) {
    const tasks = await firstOf(client().jobs.tasks(id, { limit: Math.min(limit, 100) }), limit)
    const rows = tasks.map(({ kind, keyword, ordinal, state, stored, attempts }) => [
      kind === 'discover' ? `search ${shortened(keyword ?? '', 40)}` : `places ${ordinal + 1}`,
      state,
      stored,
      attempts.map(({ result, reason }) => reason ?? result ?? 'running').join(', '),
      attempts[0] && new Date(attempts[0].started_at),
    ])
    return { data: tasks, text: table(['task', 'state', 'stored', 'attempts', 'began'], rows, 'No tasks are left.') }
  },
})

const inputsCommand = cliCommand({
  words: 'jobs inputs',
  about: 'what became of each of the places that a job names',
  argument: 'job',
  options: z.object({ job, columns: columnsOption }),
  async run(context, { job: id, columns }) {
    const inputs = await context.client().jobs.inputs(id)
    const columnsOf = ({ input, status, result_id }: (typeof inputs)[number]) => ({ input, status, result: result_id })
    return listing(context, inputs, columnsOf, { columns, none: 'The job names no places.' })
  },
})

const coverageCommand = cliCommand({
  words: 'jobs coverage',
  about: 'how completely a job searched its area',
  argument: 'job',
  options: z.object({ job, geojson: switchOption('print the searched parts of the area as GeoJSON') }),
  async run({ client, terminal }, { job, geojson }) {
    const { jobs } = client()
    if (geojson === true) {
      terminal.out(`${JSON.stringify(await jobs.coverageCells(job))}\n`)
      return undefined
    }
    const certificate = await jobs.coverage(job)
    const { coverage, cells, found, estimate } = certificate
    const total = estimate && { total: estimate.total, from: estimate.low, to: estimate.high, method: estimate.method }
    return { data: certificate, text: facts({ coverage, ...cells, found, ...total }) }
  },
})

const shown = (job: Job) => ({ data: job, text: jobFacts(job) })

export const jobCommands: CliCommand[] = [
  listCommand,
  showCommand,
  estimateCommand,
  createCommand,
  againCommand,
  watchCommand,
  cancelCommand,
  deleteCommand,
  costsCommand,
  tasksCommand,
  inputsCommand,
  coverageCommand,
]
