import { shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { listExits } from '../exits.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const listCommand = opsCommand({
  words: 'exits list',
  about: 'proxies and own addresses of the agents: who shares them, pace, rests and what the map site answers',
  options: z.object({}),
  async run({ database }) {
    const data = await listExits(await database())
    const heads = ['exit', 'kind', 'agents', 'requests/min', 'rests until', 'why', 'last verdict', 'verdicts']
    const rows = data.map((exit) => [
      shortened(exit.name ?? exit.id),
      exit.kind,
      shortened(exit.agents.join(', '), 60),
      exit.rate_per_minute > 0 ? exit.rate_per_minute : exit.last_verdict === undefined ? '' : 'no limit',
      exit.resting_until && new Date(exit.resting_until),
      exit.resting_reason ?? '',
      exit.last_verdict ?? '',
      Object.entries(exit.verdicts)
        .map(([verdict, count]) => `${count} ${verdict}`)
        .join(', '),
    ])
    return { data, text: table(heads, rows, 'No exits: no agent has connected.') }
  },
})

export const exitCommands: OpsCommand[] = [listCommand]
