import { AppError } from '../http/errors.ts'

/** How credits are bought: a hosted checkout page of a payment processor. */
export type Checkout = {
  /**
   * Opens a checkout for so many whole credits; the user is to be sent to `url`.
   * @throws AppError `billing_unavailable` or `bad_gateway` when the payment processor fails, as `reconcile` does.
   */
  open(user_id: string, credits: number): Promise<{ session_id: string; url: string }>
  /**
   * Credits a paid session at once.
   * @throws AppError `not_found` when the session is unknown or another user's, `conflict` when it is not paid yet.
   */
  reconcile(user_id: string, session_id: string): Promise<void>
}

/** @throws AppError `billing_not_configured`, always. */
export const billingNotConfigured = async (): Promise<never> => {
  throw new AppError('billing_not_configured', 'Credits cannot be bought here: no payment processor is set up.')
}

/** The checkout of a deployment without a payment processor: says so. */
export const checkoutNotConfigured: Checkout = { open: billingNotConfigured, reconcile: billingNotConfigured }
