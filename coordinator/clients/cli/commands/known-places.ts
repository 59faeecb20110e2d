import { readFile } from 'node:fs/promises'
import { firstOf } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { limitOption, shownAs, switchOption } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'

const listCommand = cliCommand({
  words: 'known-places list',
  about: 'your known places, in the order of their keys',
  isDefault: true,
  options: z.object({ limit: limitOption(100), columns: columnsOption }),
  async run(context, { limit, columns }) {
    const list = context.client().knownPlaces.list({ limit: Math.min(limit, 1_000) })
    const places = await firstOf(list, limit)
    const columnsOf = ({ place_key, first_seen_at, last_seen_at }: (typeof places)[number]) => ({
      place: place_key,
      'first seen': first_seen_at,
      'last seen': last_seen_at,
    })
    return listing(context, places, columnsOf, { columns, none: 'No known places.' })
  },
})

const uploadCommand = cliCommand({
  words: 'known-places upload',
  about: 'add the places of a CSV or XLSX file: an export of this or another tool, or one id in each row',
  argument: 'file',
  options: z.object({ file: z.string().meta(shownAs('file', 'the file; - reads CSV from stdin')) }),
  async run({ client, terminal }, { file }) {
    const content = file === '-' ? await terminal.readInput() : new Uint8Array(await readFile(file))
    const uploaded = await client().knownPlaces.upload(content)
    return { data: uploaded, text: facts(uploaded) }
  },
})

const forgetCommand = cliCommand({
  words: 'known-places forget',
  about: 'forget all known places',
  options: z.object({ yes: switchOption('really forget all of them') }),
  async run({ client }, { yes }) {
    if (yes !== true) throw new UsageError('This forgets all known places, for ever. Pass --yes to do it.')
    await client().knownPlaces.forget()
    return { data: { forgotten: true }, text: 'All known places are forgotten.' }
  },
})

export const knownPlaceCommands: CliCommand[] = [listCommand, uploadCommand, forgetCommand]
