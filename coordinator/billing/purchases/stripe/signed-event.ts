import Stripe from 'stripe'
import { AppError } from '../../../http/errors.ts'
import { StripeEvent } from './objects.ts'

/** The maximum age of an event, so that an intercepted one cannot be replayed later. */
const TOLERANCE_SECONDS = 300

/**
 * Returns the event in a body that Stripe signed at most 300 s ago.
 * @throws AppError `bad_request` otherwise. Neither the error nor its causes reveal the secret.
 */
export function signedEvent(body: Buffer, signature: string | undefined, secret: string): StripeEvent {
  const parsed = StripeEvent.safeParse(verified(body, signature, secret))
  if (!parsed.success) throw new AppError('bad_request', 'The body is not a Stripe event.')
  return parsed.data
}

function verified(body: Buffer, signature: string | undefined, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS)
  } catch {
    // The thrown error contains the whole body, so it is not passed on.
    throw new AppError('bad_request', 'The `Stripe-Signature` is missing, wrong or older than 300 s.')
  }
}
