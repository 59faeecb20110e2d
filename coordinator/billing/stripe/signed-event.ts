import Stripe from 'stripe'
import { AppError } from '../../http/errors.ts'
import { StripeEvent } from './objects.ts'

/** An event may be this old when it comes, so that one that was overheard cannot be sent again later. */
const TOLERANCE_SECONDS = 300

/**
 * The event in a body, if Stripe signed these very bytes at most 300 s ago.
 * @throws AppError `bad_request` otherwise. It says nothing about the secret, nor do its causes.
 */
export function signedEvent(body: Buffer, signature: string | undefined, secret: string): StripeEvent {
  const parsed = StripeEvent.safeParse(verified(body, signature, secret))
  if (!parsed.success) throw new AppError('bad_request', 'The body is not an event.')
  return parsed.data
}

function verified(body: Buffer, signature: string | undefined, secret: string): unknown {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS)
  } catch {
    // What was thrown carries the whole body, and says no more than this.
    throw new AppError('bad_request', 'The `Stripe-Signature` is missing, wrong or older than 300 s.')
  }
}
