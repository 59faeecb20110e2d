import { z } from 'zod'
import { addresses, milliseconds, share } from './values.ts'

/** How a refusal looks. */
export const REFUSAL_FORMS = ['by-kind', '429', '302', '200', 'stub', '403', '503', 'enablejs', 'sg-rel'] as const
export type RefusalForm = (typeof REFUSAL_FORMS)[number]

const limit = z.strictObject({
  requests: z.number().int().min(1),
  windowMs: milliseconds,
  blockMs: milliseconds,
  addresses: addresses.optional(),
})
const crowding = z.strictObject({
  inFlight: z.number().int().min(1),
  growth: share,
  blockMs: milliseconds,
  addresses: addresses.optional(),
})
const wear = z.strictObject({
  perRequest: share,
  most: share,
  blockMs: milliseconds,
  addresses: addresses.optional(),
})

/** Which requests the site refuses, how that looks and how long it lasts. Sources: CLIENT.md, sections 1.1, 1.3, 1.4. */
export const REFUSAL_MODES = {
  blockPlainHttp: z
    .union([z.literal(false), z.enum(['until-browser-cookie', 'always'])])
    .default(false)
    .describe('refuse payloads to clients that run no script (BotGuard, google-sr#51)'),
  refusalForm: z
    .enum(REFUSAL_FORMS)
    .default('by-kind')
    .describe(
      'how a refusal looks: by-kind (pages lead to the captcha page, payloads are answered by it), 429, 302, 200, stub (under 2,000 bytes with a refresh; all four GBS classify.py), 403, 503, enablejs, sg-rel (the page for clients without scripts, GBS)',
    ),
  rateLimit: limit
    .nullable()
    .default(null)
    .describe(
      'at most so many requests an exit and window, then a block of blockMs (chrome-lens-py#24); with addresses only for these',
    ),
  crowding: crowding
    .nullable()
    .default(null)
    .describe(
      'with more than inFlight requests of an exit at once, each further one adds growth to the probability of a block of blockMs (nokia2k)',
    ),
  wear: wear
    .nullable()
    .default(null)
    .describe(
      'each request of an exit adds perRequest to the probability of a block of blockMs, up to most (hestia PR#165)',
    ),
  blocked: z
    .union([z.literal('everyone'), addresses])
    .default([])
    .describe('exits that are refused until this option changes: a list of addresses, or everyone'),
  blockGrows: z
    .boolean()
    .default(false)
    .describe('asking during a block starts it anew, and each block is twice as long (chrome-lens-py#24, pagodo#36)'),
  retryAfter: z
    .boolean()
    .default(false)
    .describe('refusals of a block carry Retry-After (CRW ThrottlingRequestManager)'),
}
export type RefusalRules = z.infer<z.ZodObject<typeof REFUSAL_MODES>>
