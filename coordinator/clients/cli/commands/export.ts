import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '@placefleet/shared/command-line'
import { idOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { cliCommand } from '../context.ts'

const FORMATS = ['csv', 'xlsx', 'jsonl', 'geojson', 'parquet'] as const
const BINARY: readonly string[] = ['xlsx', 'parquet'] satisfies (typeof FORMATS)[number][]

export const exportCommand = cliCommand({
  words: 'export',
  about: 'write the places of an ended job to a file or to stdout',
  argument: 'job',
  options: z.object({
    job: idOption('id of the job'),
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
      .meta(shownAs('tiers', 'only places of these tiers, e.g. no_website, or none,social')),
  }),
  async run({ client, terminal }, { job, format, out, columns, semicolon, bom, web_presence }) {
    if (out === undefined && BINARY.includes(format) && terminal.isShown) {
      throw new UsageError(`A ${format} file cannot be shown in a terminal. Pass --out with the name of a file.`)
    }
    const query = {
      format,
      ...(columns === undefined ? {} : { columns }),
      ...(semicolon === true ? { delimiter: 'semicolon' as const } : {}),
      ...(bom === true ? { bom: 'true' as const } : {}),
      ...(web_presence === undefined ? {} : { web_presence }),
    }
    const file = Readable.from(await client().jobs.download(job, query))
    if (out === undefined) {
      await pipeline(file, terminal.stdout, { end: false })
      return undefined
    }
    await pipeline(file, createWriteStream(out))
    return { data: { job, format, file: out }, text: out }
  },
})
