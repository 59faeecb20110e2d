import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Placefleet } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { shownAs, switchOption } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { type CliContext, cliCommand } from '../context.ts'
import { jobOptions, requestOf } from '../job-options.ts'
import { columnsOption, listing } from '../listing.ts'
import { placeColumns, watchJob } from '../watch-job.ts'

export const runCommand = cliCommand({
  words: 'run',
  about: 'run a job: estimate, collect, show the places and write a file',
  argument: 'keywords',
  options: z.object({
    ...jobOptions,
    csv: z.string().min(1).optional().meta(shownAs('file', 'write the places to this CSV file')),
    ask_above: z
      .string()
      .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be an amount of credits, e.g. 0.50')
      .default('1')
      .meta(shownAs('credits', 'ask before a job that may cost more (default 1)')),
    yes: switchOption('do not ask'),
    columns: columnsOption,
  }),
  async run(context, options) {
    const { terminal } = context
    const client = context.client()
    const request = await requestOf(options)
    const { max_reviews = 0 } = request
    const { estimate } = await client.jobs.estimate({ ...request, max_reviews })
    terminal.err(`${estimate.description}\n`)
    if (options.yes !== true && estimate.total_max > Number(options.ask_above))
      await confirm(context, estimate.total_max)

    const { id } = await client.jobs.create(request)
    terminal.err(`Job ${id} is running. \`placefleet jobs cancel ${id}\` cancels it.\n`)
    const { job, places } = await watchJob(client, id, terminal)

    const csv = options.csv !== undefined && job.status !== 'failed' ? options.csv : undefined
    if (csv !== undefined) await download(client, id, csv)
    const why = job.failure_reason ?? job.cancel_reason
    const file = csv === undefined ? '' : ` They are in ${csv}.`
    terminal.err(
      `${job.status}${why ? ` (${why})` : ''}: ${places.length} places for ${job.total_cost} credits.${file}\n`,
    )
    return {
      data: { job, places, ...(csv === undefined ? {} : { csv }) },
      text: listing(context, places, placeColumns, { columns: options.columns, none: 'No places.' }).text,
      failed: job.status !== 'completed',
    }
  },
})

/** @throws UsageError when the user declines, or when there is no terminal to ask on. */
async function confirm({ terminal }: CliContext, cost: number): Promise<void> {
  if (!terminal.canAsk) {
    throw new UsageError(
      `The job may cost ${cost} credits. Pass --yes to accept that, or --ask-above with a higher amount.`,
    )
  }
  const answer = await terminal.ask(`The job may cost ${cost} credits. Continue? [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was created.')
}

async function download({ jobs }: Placefleet, id: string, file: string): Promise<void> {
  await pipeline(Readable.from(await jobs.download(id, { format: 'csv' })), createWriteStream(file))
}
