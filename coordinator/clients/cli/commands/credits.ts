import { firstOf } from '@placefleet/client'
import { limitOption } from '@placefleet/shared/commands/command'
import { facts } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'
import { columnsOption, listing } from '../listing.ts'

const balanceCommand = cliCommand({
  words: 'credits balance',
  about: 'your credits',
  isDefault: true,
  options: z.object({}),
  async run({ client }) {
    const balance = await client().credits.balance()
    const { credit_balance, available, held, total_credits_purchased } = balance
    const shown = { balance: credit_balance, available, held, purchased: total_credits_purchased }
    return { data: balance, text: facts(shown) }
  },
})

const historyCommand = cliCommand({
  words: 'credits history',
  about: 'your latest credit transactions',
  options: z.object({ limit: limitOption(20), columns: columnsOption }),
  async run(context, { limit, columns }) {
    const history = context.client().credits.history({ limit: Math.min(limit, 100) })
    const transactions = await firstOf(history, limit)
    const columnsOf = ({ created_at, type, amount, balance_after, description }: (typeof transactions)[number]) => ({
      time: created_at,
      type,
      amount,
      balance: balance_after,
      description,
    })
    return listing(context, transactions, columnsOf, { columns, none: 'No transactions.' })
  },
})

export const creditCommands: CliCommand[] = [balanceCommand, historyCommand]
