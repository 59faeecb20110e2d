import { z } from 'zod'
import { jsonResponse } from '../../../http/responses.ts'
import type { Server } from '../../../http/typed-server.ts'
import type { Payments } from '../payments.ts'

const Receipt = z.object({ outcome: z.enum(['handled', 'ignored', 'duplicate']) })

/**
 * `POST /stripe/webhook`: receives the events of Stripe. It has no rate limit: Stripe sends bursts from a few
 * addresses, and an event without a valid signature costs no query.
 */
export async function stripeRoutes(app: Server, { payments }: { payments: Pick<Payments, 'receive'> }) {
  // The signature covers the raw bytes. This parser applies to the routes of this plugin only.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  app.post(
    '/stripe/webhook',
    {
      config: { access: 'unlimited' },
      schema: { hide: true, response: { 200: jsonResponse(Receipt, 'Received') } },
    },
    async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      return { outcome: await payments.receive(bytes, typeof signature === 'string' ? signature : undefined) }
    },
  )
}
