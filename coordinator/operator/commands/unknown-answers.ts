import { harmless, shortened, table } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { listUnknownAnswers } from '../unknown-answers.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const BEGINNING = 60

const listCommand = opsCommand({
  words: 'unknown-answers',
  about: 'answers of the map site that no agent understood; --json prints them whole',
  options: z.object({}),
  async run({ database }) {
    const data = await listUnknownAnswers(await database())
    const rows = data.map(({ seen_at, agent, status, path, text }) => [
      new Date(seen_at),
      shortened(agent),
      status,
      shortened(path),
      harmless(text.slice(0, BEGINNING)),
    ])
    return { data, text: table(['last seen', 'agent', 'status', 'path', 'begins with'], rows, 'No unknown answers.') }
  },
})

export const unknownAnswerCommands: OpsCommand[] = [listCommand]
