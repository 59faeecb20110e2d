import { z } from 'zod'
import { addresses, milliseconds } from './values.ts'

/** The forms of a refusal. */
export const REFUSAL_FORMS = ['by-kind', '429', '302', '200', 'stub', '403', 'bare-403', 'enablejs', 'sg-rel'] as const

const limit = z.strictObject({
  requests: z.number().int().min(1),
  windowMs: milliseconds,
  blockMs: milliseconds,
  addresses: addresses.optional(),
})

/** Which requests the site refuses, in which form and for how long. Where the real site has them: sources.ts. */
export const REFUSAL_MODES = {
  blockPlainHttp: z.boolean().default(false).describe('refuse payloads to requests that no script of the site sends'),
  refusalForm: z
    .enum(REFUSAL_FORMS)
    .default('by-kind')
    .describe(
      'form of a refusal: by-kind (pages redirect to the captcha page, payloads contain it), 429, 302, 200, stub (under 2,000 bytes with a refresh), 403, bare-403 (without the captcha), enablejs, sg-rel (the page for clients without scripts)',
    ),
  rateLimit: limit
    .nullable()
    .default(null)
    .describe(
      'most requests of an exit in windowMs; one more blocks the exit for blockMs; addresses: only these exits',
    ),
  blocked: z
    .union([z.literal('everyone'), addresses])
    .default([])
    .describe('exits to block until this option changes: a list of addresses, or everyone'),
  blockGrows: z
    .boolean()
    .default(false)
    .describe('a request during a block restarts it, and each block is twice as long'),
  retryAfter: z.boolean().default(false).describe('send Retry-After with the refusals of a block'),
}
export type RefusalRules = z.infer<z.ZodObject<typeof REFUSAL_MODES>>
