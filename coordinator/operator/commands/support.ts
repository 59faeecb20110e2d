import { limitOption } from '@placefleet/shared/commands/command'
import { harmless, shortened, strong, time } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { listSupport, type SupportRequest } from '../support.ts'
import { type OpsCommand, opsCommand } from './context.ts'

const listCommand = opsCommand({
  words: 'support list',
  about: 'the latest support requests, newest first',
  options: z.object({ limit: limitOption(20) }),
  async run({ database }, { limit }) {
    const requests = await listSupport(await database(), limit)
    return { data: requests, text: requests.map(letter).join('\n\n') || 'No support requests.' }
  },
})

function letter({ category, subject, message, email, user_id, created_at }: SupportRequest): string {
  const title = subject ? `${category}: ${shortened(subject, 200)}` : category
  return `${strong(title)}\n${time(new Date(created_at))} from ${email ?? `user ${user_id}`}\n${harmless(message)}`
}

export const supportCommands: OpsCommand[] = [listCommand]
