import { z } from 'zod'
import { listSupportRequests, type SupportRequest } from '../../support/store.ts'
import { type OpsCommand, opsCommand } from '../command.ts'
import { limitOption } from '../options.ts'
import { harmless, shortened, strong, time } from '../table.ts'

const listCommand = opsCommand({
  words: 'support list',
  about: 'the latest support requests, newest first',
  options: z.object({ limit: limitOption(20) }),
  async run({ database }, { limit }) {
    const requests = await listSupportRequests(await database(), limit)
    const data = requests.map(({ _id: id, ...request }) => ({ id, ...request }))
    return { data, text: requests.map(letter).join('\n\n') || 'No support requests.' }
  },
})

function letter({ category, subject, message, email, user_id, created_at }: SupportRequest): string {
  const title = subject ? `${category}: ${shortened(subject, 200)}` : category
  return `${strong(title)}\n${time(created_at)} from ${email ?? `user ${user_id}`}\n${harmless(message)}`
}

export const supportCommands: OpsCommand[] = [listCommand]
