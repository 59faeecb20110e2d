import { idOption, shownAs } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { WEBHOOK_EVENTS } from '@placefleet/shared/webhooks/job-event'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'

const webhook = idOption('id of the webhook')

const EVENT = z.enum(WEBHOOK_EVENTS, `must be one of ${WEBHOOK_EVENTS.join(', ')}`)

const listCommand = cliCommand({
  words: 'webhooks list',
  about: 'your webhooks',
  isDefault: true,
  options: z.object({ columns: columnsOption }),
  async run(context, { columns }) {
    const webhooks = await context.client().webhooks.list()
    const columnsOf = ({ id, name, url, health_state, event_types, revoked_at }: (typeof webhooks)[number]) => ({
      id,
      name,
      url,
      health: revoked_at === undefined ? health_state : 'deleted',
      events: event_types.join(', '),
    })
    return listing(context, webhooks, columnsOf, { columns, none: 'No webhooks.' })
  },
})

const createCommand = cliCommand({
  words: 'webhooks create',
  about: 'register an https address; its signing secret is shown only once',
  argument: 'url',
  options: z.object({
    url: z.string().meta(shownAs('url', 'a public https address')),
    name: z.string().min(1).max(100).meta(shownAs('name', 'purpose of the webhook')),
    events: z
      .string()
      .transform((names) => names.split(','))
      .pipe(z.array(EVENT))
      .optional()
      .meta(shownAs('names', `only these events, separated by commas: ${WEBHOOK_EVENTS.join(', ')}`)),
  }),
  async run({ client }, { url, name, events }) {
    const made = await client().webhooks.create({ url, name, ...(events === undefined ? {} : { event_types: events }) })
    return { data: made, text: facts({ id: made.id, name: made.name, url: made.url, secret: made.secret }) }
  },
})

const testCommand = cliCommand({
  words: 'webhooks test',
  about: 'send the event webhook.test to a webhook',
  argument: 'webhook',
  options: z.object({ webhook }),
  async run({ client }, { webhook }) {
    const delivery = await client().webhooks.test(webhook)
    return { data: delivery, text: `The delivery ${delivery.id} is on its way.` }
  },
})

const rotateCommand = cliCommand({
  words: 'webhooks rotate',
  about: 'create a new signing secret; for a day the old one signs, too',
  argument: 'webhook',
  options: z.object({ webhook }),
  async run({ client }, { webhook }) {
    const rotated = await client().webhooks.rotateSecret(webhook)
    return { data: rotated, text: facts({ id: rotated.id, secret: rotated.secret }) }
  },
})

const deleteCommand = cliCommand({
  words: 'webhooks delete',
  about: 'delete a webhook',
  argument: 'webhook',
  options: z.object({ webhook }),
  async run({ client }, { webhook: id }) {
    await client().webhooks.delete(id)
    return { data: { id, deleted: true }, text: `The webhook ${id} is deleted.` }
  },
})

export const webhookCommands: CliCommand[] = [listCommand, createCommand, testCommand, rotateCommand, deleteCommand]
