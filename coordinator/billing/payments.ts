import { billingNotConfigured, type Checkout, checkoutNotConfigured } from './checkout.ts'

/** How credits are bought, and how we hear of what becomes of the money. */
export type Payments = {
  checkout: Checkout
  /**
   * Takes in an event of the payment processor, as the bytes it sent and their signature.
   * @throws AppError `bad_request` when it is not signed by it; any other failure asks it to send the event again.
   */
  receive(body: Buffer, signature: string | undefined): Promise<'handled' | 'ignored' | 'duplicate'>
  /** Finds out what no event told. To be called every `PAYMENT_SWEEP_MS`. */
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
