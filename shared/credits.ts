import { z } from 'zod'

/** An amount of credits in a request, exact to a micro-credit. 1 credit = 1 USD. */
export const CreditAmount = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,8})(\.\d{1,6})?$/,
    'must be an amount of credits in a string, e.g. "1.50": digits with at most 6 decimals',
  )
