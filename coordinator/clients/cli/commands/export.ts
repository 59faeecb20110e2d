import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Placefleet } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { idOption, type Report, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { harmless } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliContext, cliCommand } from '../context.ts'

const FORMATS = ['csv', 'xlsx', 'jsonl', 'geojson', 'parquet'] as const
const BINARY: readonly string[] = ['xlsx', 'parquet'] satisfies (typeof FORMATS)[number][]

const fileOptions = z.object({
  format: z
    .enum(FORMATS, `must be one of ${FORMATS.join(', ')}`)
    .default('csv')
    .meta(shownAs('format', `${FORMATS.join(', ')} (default csv)`)),
  out: z.string().min(1).optional().meta(shownAs('file', 'the file to write; default stdout')),
  columns: z.string().optional().meta(shownAs('names', 'only these, in this order, e.g. title,phone,website')),
  semicolon: switchOption('separate the fields of CSV with semicolons, as some spreadsheets expect'),
  bom: switchOption('begin CSV with a byte order mark, for old versions of Excel'),
  web_presence: z
    .string()
    .optional()
    .meta(shownAs('kinds', 'only places with these kinds of website, e.g. no_website, or none,social')),
})
type FileOptions = z.infer<typeof fileOptions>

export const exportCommand = cliCommand({
  words: 'export',
  about: 'write the places of an ended job to a file or to stdout',
  argument: 'job',
  options: fileOptions.extend({
    job: idOption('id of the job'),
    link: switchOption('print a link that downloads the file for ten minutes, without an API key'),
  }),
  run: ({ client, terminal }, { job, link, ...file }) =>
    link === true
      ? printLink(client(), job, file)
      : writeExport(terminal, file, (query) => client().jobs.download(job, query)),
})

/** @throws UsageError for an option that a link cannot have. */
async function printLink(client: Placefleet, job: string, { out, semicolon, bom, ...file }: FileOptions) {
  if (out !== undefined || semicolon === true || bom === true) {
    throw new UsageError('--link goes with --format, --columns and --web-presence only.')
  }
  const { format, columns, web_presence } = file
  const data = await client.jobs.downloadLink(job, {
    format,
    ...(columns === undefined ? {} : { columns }),
    ...(web_presence === undefined ? {} : { web_presence }),
  })
  return { data, text: data.url }
}

export const exportAllCommand = cliCommand({
  words: 'export-all',
  about: 'write the places of many ended jobs to one file or to stdout',
  options: fileOptions.extend({
    monitor: idOption('only jobs of this monitor').optional(),
    search: z.string().optional().meta(shownAs('text', 'only jobs whose name or keyword has this text')),
  }),
  run: ({ client, terminal }, { monitor, search, ...file }) =>
    writeExport(terminal, file, (query) =>
      client().jobs.downloadAll({
        ...query,
        ...(monitor === undefined ? {} : { monitor_id: monitor }),
        ...(search === undefined ? {} : { search }),
      }),
    ),
})

type FileQuery = ReturnType<typeof queryOf>

/** Downloads a file and writes it. @throws UsageError when a terminal would have to show a binary file. */
async function writeExport(
  terminal: CliContext['terminal'],
  options: FileOptions,
  download: (query: FileQuery) => Promise<ReadableStream<Uint8Array>>,
): Promise<Report | undefined> {
  const { format, out } = options
  if (out === undefined && BINARY.includes(format) && terminal.isShown) {
    throw new UsageError(`A ${format} file cannot be shown in a terminal. Pass --out with the name of a file.`)
  }
  const file = Readable.from(await download(queryOf(options)))
  if (out === undefined) {
    await pipeline(terminal.isShown ? file.compose(harmlessText) : file, terminal.stdout, { end: false })
    return undefined
  }
  await pipeline(file, createWriteStream(out))
  return { data: { format, file: out }, text: out }
}

async function* harmlessText(file: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const part of file) yield harmless(decoder.decode(part, { stream: true }).replaceAll('\r', ''))
}

const queryOf = ({ format, columns, semicolon, bom, web_presence }: FileOptions) => ({
  format,
  ...(columns === undefined ? {} : { columns }),
  ...(semicolon === true ? { delimiter: 'semicolon' as const } : {}),
  ...(bom === true ? { bom: 'true' as const } : {}),
  ...(web_presence === undefined ? {} : { web_presence }),
})
