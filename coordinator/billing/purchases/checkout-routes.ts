import { z } from 'zod'
import { accountOf } from '../../http/authentication.ts'
import { errorResponses, jsonResponse, noContent } from '../../http/responses.ts'
import type { Server } from '../../http/typed-server.ts'
import type { Checkout } from './payments.ts'

/** The body of a checkout: whole credits as a string, without sign, point, exponent, leading zero or spaces. */
const CheckoutRequest = z
  .strictObject({
    credits: z
      .string()
      .regex(/^([1-9]\d{0,3}|10000)$/, 'must be a whole number from 1 to 10000, in digits only')
      .describe('whole credits, 1 to 10000'),
    currency: z.literal('USD').describe('1 credit is 1 USD'),
  })
  .meta({
    id: 'CheckoutRequest',
    description: 'The number of credits to buy.',
    examples: [{ credits: '25', currency: 'USD' }],
  })

const CheckoutSession = z.object({ session_id: z.string(), url: z.url() }).meta({
  id: 'CheckoutSession',
  description: 'The payment page to send the user to.',
  examples: [{ session_id: 'cs_live_a1b2c3', url: 'https://checkout.stripe.com/c/pay/cs_live_a1b2c3' }],
})

const ReconcileRequest = z
  .strictObject({ session_id: z.string().min(1).max(255).describe('the id that the checkout returned') })
  .meta({
    id: 'ReconcileRequest',
    description: 'A paid checkout.',
    examples: [{ session_id: 'cs_live_a1b2c3' }],
  })

/** Routes to buy credits: open a checkout, and credit a paid one at once. */
export async function checkoutRoutes(app: Server, checkout: Checkout) {
  app.post(
    '/credits/checkout-session',
    {
      schema: {
        tags: ['credits'],
        operationId: 'createCheckoutSession',
        summary: 'Buy credits',
        body: CheckoutRequest,
        response: { 200: jsonResponse(CheckoutSession, 'The payment page'), ...errorResponses(502) },
      },
    },
    async (request) => checkout.open(accountOf(request).user_id, Number(request.body.credits)),
  )

  app.post(
    '/credits/reconcile',
    {
      schema: {
        tags: ['credits'],
        operationId: 'reconcileCheckoutSession',
        summary: 'Credit a paid checkout at once',
        body: ReconcileRequest,
        response: { 204: noContent('Credited'), ...errorResponses(404, 409, 502) },
      },
    },
    async (request, reply) => {
      await checkout.reconcile(accountOf(request).user_id, request.body.session_id)
      return reply.code(204).send()
    },
  )
}
