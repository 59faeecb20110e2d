import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CreateJobRequest, jobParts, type Placefleet } from '@placefleet/client'
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
    const parts = jobParts(await requestOf(options))
    const most = await estimateParts(context, parts)
    if (options.yes !== true && most > Number(options.ask_above)) await confirm(context, most)

    const ended: Ended[] = []
    for (const part of parts) {
      const csv = options.csv === undefined ? undefined : { file: options.csv, isBegun: ended.some(hasFile) }
      ended.push(await runPart(context, part, csv))
    }
    const places = ended.flatMap((part) => part.places)
    const [first] = ended
    const jobs = ended.length === 1 ? { job: first?.job } : { jobs: ended.map(({ job }) => job) }
    return {
      data: { ...jobs, places, ...(ended.some(hasFile) && { csv: options.csv }) },
      text: listing(context, places, placeColumns, { columns: options.columns, none: 'No places.' }).text,
      failed: ended.some(({ job }) => job.status !== 'completed'),
    }
  },
})

/** Says what the jobs would cost. Returns the most, in credits. */
async function estimateParts({ client, terminal }: CliContext, parts: readonly CreateJobRequest[]): Promise<number> {
  let most = 0
  for (const part of parts) {
    const { estimate } = await client().jobs.estimate({ max_reviews: 0, ...part })
    terminal.err(`${parts.length > 1 ? `${part.name}: ` : ''}${estimate.description}\n`)
    most += estimate.total_max
  }
  return most
}

type Ended = Awaited<ReturnType<typeof watchJob>>

/** A failed job has no files. */
const hasFile = ({ job }: Ended): boolean => job.status !== 'failed'

/** A CSV file, and whether an earlier job has written its header. */
type CsvFile = { file: string; isBegun: boolean }

/** Runs a job to its end, and adds its places to a file. */
async function runPart(context: CliContext, request: CreateJobRequest, csv: CsvFile | undefined): Promise<Ended> {
  const { terminal } = context
  const client = context.client()
  const { id } = await client.jobs.create(request)
  terminal.err(`Job ${id} is running. \`placefleet jobs cancel ${id}\` cancels it.\n`)
  const ended = await watchJob(client, id, terminal)
  const { job, places } = ended
  const written = hasFile(ended) ? csv : undefined
  if (written) await download(client, id, written)
  const why = job.failure_reason ?? job.cancel_reason
  const where = written ? ` They are in ${written.file}.` : ''
  const count = places.length === 1 ? '1 place' : `${places.length} places`
  terminal.err(`${job.status}${why ? ` (${why})` : ''}: ${count} for ${job.total_cost} credits.${where}\n`)
  return ended
}

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

async function download({ jobs }: Placefleet, id: string, { file, isBegun }: CsvFile): Promise<void> {
  const csv = Readable.from(await jobs.download(id, { format: 'csv' }))
  await pipeline(isBegun ? withoutHeader(csv) : csv, createWriteStream(file, { flags: isBegun ? 'a' : 'w' }))
}

const LINE_FEED = 10

/** Yields the bytes of a CSV file behind its first line, the names of its columns. */
async function* withoutHeader(csv: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let isBehind = false
  for await (const bytes of csv) {
    const headerEnd: number = isBehind ? 0 : bytes.indexOf(LINE_FEED) + 1
    isBehind ||= headerEnd > 0
    if (isBehind) yield bytes.subarray(headerEnd)
  }
}
