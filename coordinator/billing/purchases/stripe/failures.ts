import Stripe from 'stripe'
import type { z } from 'zod'
import { AppError } from '../../../http/errors.ts'

const { StripeConnectionError, StripeError, StripeInvalidRequestError } = Stripe.errors

/** Returns whether Stripe says that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing'

/** Translates a failed call: `billing_unavailable` when a retry may succeed, else `bad_gateway`. */
export function stripeFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const status = cause instanceof StripeError ? (cause.statusCode ?? 0) : 0
  if (cause instanceof StripeConnectionError || status === 429 || status >= 500) {
    const message = 'The payment processor is unavailable. Nothing was charged. Try again soon.'
    return new AppError('billing_unavailable', message, { cause, headers: { 'retry-after': '10' } })
  }
  return wrongAnswer(cause)
}

/**
 * Parses a response of Stripe.
 * @throws AppError `bad_gateway` when it does not match the schema.
 */
export function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw wrongAnswer(parsed.error)
  return parsed.data
}

const wrongAnswer = (cause: unknown) =>
  new AppError('bad_gateway', 'The payment processor sent an invalid response. It has been logged.', {
    cause,
  })
