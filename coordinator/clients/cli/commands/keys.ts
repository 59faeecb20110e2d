import { idOption, shownAs } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'

const listCommand = cliCommand({
  words: 'keys list',
  about: 'your API keys, oldest first, including revoked ones',
  isDefault: true,
  options: z.object({ columns: columnsOption }),
  async run(context, { columns }) {
    const keys = await context.client().keys.list()
    const columnsOf = (key: (typeof keys)[number]) => ({
      id: key.id,
      name: key.name,
      key: `${key.key_hint_prefix}…${key.key_hint_suffix}`,
      requests: key.usage_count,
      'last used': key.last_used_at,
      revoked: key.revoked_at,
    })
    return listing(context, keys, columnsOf, { columns, none: 'No API keys.' })
  },
})

const credits = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount of credits, e.g. 0.50')
  .optional()

const createCommand = cliCommand({
  words: 'keys create',
  about: 'create an API key; it is shown only once',
  options: z.object({
    name: z.string().min(1).max(100).meta(shownAs('name', 'purpose of the key')),
    day: credits.meta(shownAs('credits', 'the most that its jobs of one day may cost')),
    month: credits.meta(shownAs('credits', 'the most that its jobs of one month may cost')),
  }),
  async run({ client }, { name, day, month }) {
    const limits = { ...(day === undefined ? {} : { day }), ...(month === undefined ? {} : { month }) }
    const body = day === undefined && month === undefined ? { name } : { name, limits }
    const made = await client().keys.create(body)
    return { data: made, text: facts({ id: made.id, name: made.name, key: made.key }) }
  },
})

const revokeCommand = cliCommand({
  words: 'keys revoke',
  about: 'revoke an API key, from the next request on',
  argument: 'key',
  options: z.object({ key: idOption('id of the key') }),
  async run({ client }, { key: id }) {
    await client().keys.revoke(id)
    return { data: { id, revoked: true }, text: `The key ${id} is revoked.` }
  },
})

export const keyCommands: CliCommand[] = [listCommand, createCommand, revokeCommand]
