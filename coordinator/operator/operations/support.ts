import { limitOption } from '@placefleet/shared/commands/command'
import { harmless, shortened, strong, time } from '@placefleet/shared/commands/table'
import { z } from 'zod'
import { queryInteger } from '../../http/params.ts'
import { listSupportRequests, SUPPORT_CATEGORIES } from '../../support/store.ts'
import { type Operation, operation } from '../operation.ts'

const SupportRequest = z
  .object({
    id: z.uuid(),
    user_id: z.uuid(),
    email: z.string().optional().describe('the address of the user; absent when the user no longer exists'),
    category: z.enum(SUPPORT_CATEGORIES),
    subject: z.string().optional(),
    message: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({
    id: 'SupportRequest',
    description: 'A support request of a user.',
    examples: [
      {
        id: '0b6f4f9e-6a39-4a7e-8b38-5d4c1f6f9d21',
        user_id: '9d3a4c52-7c1b-4f6e-a8a1-3f0e5b7d9c11',
        email: 'ada@example.com',
        category: 'billing',
        subject: 'Invoice',
        message: 'Where do I find the invoice of March?',
        created_at: '2026-03-01T12:00:00.000Z',
      },
    ],
  })
type SupportRequest = z.infer<typeof SupportRequest>

const SupportList = z.object({ requests: z.array(SupportRequest) }).meta({
  id: 'SupportList',
  description: 'Support requests, newest first.',
  examples: [{ requests: SupportRequest.meta()?.examples ?? [] }],
})

const list = operation({
  name: 'listSupportRequests',
  method: 'GET',
  path: '/support',
  topic: 'users',
  summary: 'List support requests',
  query: z.strictObject({
    limit: queryInteger({ min: 1, max: 500, fallback: 50, describe: 'the largest number to return' }),
  }),
  answer: SupportList,
  meaning: 'The requests, newest first',
  async run({ db }, { limit }) {
    const requests = await listSupportRequests(db, limit)
    return {
      requests: requests.map(({ _id: id, created_at, ...request }) => ({
        id,
        ...request,
        created_at: created_at.toISOString(),
      })),
    }
  },
  command: {
    words: 'support list',
    about: 'the latest support requests, newest first',
    options: z.object({ limit: limitOption(20) }),
    input: (options) => options,
    json: ({ requests }) => requests,
    text: ({ requests }) => requests.map(letter).join('\n\n') || 'No support requests.',
  },
})

function letter({ category, subject, message, email, user_id, created_at }: SupportRequest): string {
  const title = subject ? `${category}: ${shortened(subject, 200)}` : category
  return `${strong(title)}\n${time(new Date(created_at))} from ${email ?? `user ${user_id}`}\n${harmless(message)}`
}

export const supportOperations: Operation[] = [list]
