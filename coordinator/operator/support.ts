import type { Db } from 'mongodb'
import { z } from 'zod'
import { listSupportRequests, SUPPORT_CATEGORIES } from '../support/store.ts'

/** A support request as operators see it. */
export const SupportRequest = z
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
export type SupportRequest = z.infer<typeof SupportRequest>

/** Returns the latest support requests of all users, newest first. */
export async function listSupport(db: Db, limit: number): Promise<SupportRequest[]> {
  const requests = await listSupportRequests(db, limit)
  return requests.map(({ _id: id, created_at, ...request }) => ({
    id,
    ...request,
    created_at: created_at.toISOString(),
  }))
}
