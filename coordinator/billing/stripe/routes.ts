import { z } from 'zod'
import { jsonResponse } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Payments } from '../payments.ts'

const Receipt = z.object({ outcome: z.enum(['handled', 'ignored', 'duplicate']) })

/**
 * `POST /stripe/webhook`: where Stripe sends its events. Not limited: bursts of them come from a few addresses, and one
 * without a valid signature costs no query.
 */
export async function stripeRoutes(app: Server, { payments }: { payments: Pick<Payments, 'receive'> }) {
  // The signature is over the bytes as they came. This parser holds for the routes of this plugin only.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
  app.post(
    '/stripe/webhook',
    {
      config: { access: 'unlimited' },
      schema: { hide: true, response: { 200: jsonResponse(Receipt, 'It need not be sent again') } },
    },
    async ({ body, headers }) => {
      const signature = headers['stripe-signature']
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      return { outcome: await payments.receive(bytes, typeof signature === 'string' ? signature : undefined) }
    },
  )
}
