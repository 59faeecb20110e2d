import { AppError } from '../../http/errors.ts'

/** A payment processor's hosted checkout page. */
export type Checkout = {
  /**
   * Opens a checkout for a number of whole credits. The user pays at `url`.
   * @throws AppError `billing_unavailable` or `bad_gateway` when the payment processor fails, as `reconcile` does.
   */
  open(user_id: string, credits: number): Promise<{ session_id: string; url: string }>
  /**
   * Credits a paid session at once.
   * @throws AppError `not_found` when the session is unknown or belongs to another user, `conflict` when it is not paid
   * yet.
   */
  reconcile(user_id: string, session_id: string): Promise<void>
}

/** @throws AppError `billing_not_configured`, always. */
export const billingNotConfigured = async (): Promise<never> => {
  throw new AppError('billing_not_configured', 'Credits cannot be bought here: no payment processor is configured.')
}

/** The checkout of a deployment without a payment processor: every call fails with `billing_not_configured`. */
export const checkoutNotConfigured: Checkout = { open: billingNotConfigured, reconcile: billingNotConfigured }

/** The payment processor: checkouts, its events, and a sweep that finds lost events. */
export type Payments = {
  checkout: Checkout
  /**
   * Handles an event of the payment processor, given its raw bytes and signature.
   * @throws AppError `bad_request` when the signature is wrong. After any other error the processor sends the event
   * again.
   */
  receive(body: Buffer, signature: string | undefined): Promise<'handled' | 'ignored' | 'duplicate'>
  /** Finds payments whose events were lost. Call it every `PAYMENT_SWEEP_MS`. */
  sweepOnce(signal: AbortSignal): Promise<void>
}

/** A lost event is noticed within about twice this time. */
export const PAYMENT_SWEEP_MS = 30_000

/** The payments of a deployment without a payment processor. */
export const paymentsNotConfigured: Payments = {
  checkout: checkoutNotConfigured,
  receive: billingNotConfigured,
  sweepOnce: async () => undefined,
}
