import { textSchema } from '@placefleet/shared/text'
import type { Db } from 'mongodb'
import { z } from 'zod'
import type { UserLimit } from '../accounts/limits.ts'
import { accountOf } from '../http/authentication.ts'
import { jsonResponse } from '../http/responses.ts'
import type { Server } from '../http/typed-server.ts'
import { addSupportRequest, SUPPORT_CATEGORIES } from './store.ts'

type SupportRoutesOptions = { db: Db; limit: UserLimit }

const CreateSupportRequest = z
  .strictObject({
    category: z.enum(SUPPORT_CATEGORIES).describe('topic of the request'),
    subject: textSchema({ max: 200 }).optional().describe('a short summary'),
    message: textSchema({ min: 10, max: 5_000 }).describe('what happened, and what you expected instead'),
  })
  .meta({
    id: 'CreateSupportRequest',
    description: 'A question to the operators of the service.',
    examples: [{ category: 'billing', subject: 'Invoice', message: 'Where do I find the invoice of March?' }],
  })

const Received = z
  .object({ success: z.literal(true) })
  .meta({ id: 'SupportRequestReceived', description: 'The request was received.', examples: [{ success: true }] })

/** `POST /support`: sends a question to the operators. A rejected request does not count for the limit. */
export async function supportRoutes(app: Server, { db, limit }: SupportRoutesOptions): Promise<void> {
  app.post(
    '/support',
    {
      schema: {
        tags: ['support'],
        operationId: 'createSupportRequest',
        summary: 'Send a support request',
        description: 'Limited to one per minute, with a burst of three.',
        body: CreateSupportRequest,
        response: { 200: jsonResponse(Received, 'Received') },
      },
    },
    async (request) => {
      const { user_id } = accountOf(request)
      await limit.take(user_id)
      await addSupportRequest(db, user_id, request.body)
      return { success: true as const }
    },
  )
}
