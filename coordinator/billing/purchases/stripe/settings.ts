import { secret, urlSetting } from '@placefleet/shared/setting-types'
import { z } from 'zod'

/** The settings of the payment processor. */
export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^\S{8,}$/, 'must be a Stripe secret key')
    .optional()
    .meta(secret('a Stripe secret key; unset: requests to buy credits answer 503 `billing_not_configured`')),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^\S{8,}$/, 'must be the signing secret of a Stripe endpoint')
    .optional()
    .meta(secret('the signing secret of the Stripe endpoint; unset: events are refused, and payments are polled')),
  STRIPE_API_BASE: urlSetting().optional().describe('a server that replaces Stripe in tests'),
}

export type StripeSettings = {
  secretKey: string
  /** Without it events are rejected, and the sweep and reconciling find payments. */
  webhookSecret?: string | undefined
  apiBase?: string | undefined
}

/** Returns the Stripe settings of a coordinator; undefined without a payment processor. */
export function stripeSettings(config: z.infer<z.ZodObject<typeof STRIPE_SETTINGS>>): StripeSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = config
  return secretKey === undefined ? undefined : { secretKey, webhookSecret, apiBase }
}
