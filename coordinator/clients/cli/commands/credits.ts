import { answered } from '@placefleet/client'
import { limitOption } from '@placefleet/shared/commands/command'
import { facts, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { type CliCommand, cliCommand } from '../context.ts'

const balanceCommand = cliCommand({
  words: 'credits balance',
  about: 'your credits',
  isDefault: true,
  options: z.object({}),
  async run({ client }) {
    const balance = await answered(client().api.GET('/api/v1/credits/balance'))
    const { credit_balance, available, held, total_credits_purchased } = balance
    const shown = { balance: credit_balance, available, held, purchased: total_credits_purchased }
    return { data: balance, text: facts(shown) }
  },
})

const historyCommand = cliCommand({
  words: 'credits history',
  about: 'your latest credit transactions',
  options: z.object({ limit: limitOption(20) }),
  async run({ client }, { limit }) {
    const query = { limit: Math.min(limit, 100) }
    const { transactions } = await answered(client().api.GET('/api/v1/credits/history', { params: { query } }))
    const rows = transactions.map(({ created_at, type, amount, balance_after, description }) => [
      created_at,
      type,
      amount,
      balance_after,
      shortened(description),
    ])
    const heads = ['time', 'type', 'amount', 'balance', 'description']
    return { data: transactions, text: table(heads, rows, 'No transactions.') }
  },
})

export const creditCommands: CliCommand[] = [balanceCommand, historyCommand]
