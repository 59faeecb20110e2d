import { z } from 'zod'

/** The most characters of an unknown answer that are kept. */
export const MAX_UNKNOWN_TEXT = 20_000

/** An answer of the map site that no agent understands: its beginning, without persons, tokens and addresses. */
export const UnknownAnswer = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('the same for answers that look the same'),
  path: z.string().max(300).describe('the path of the request, without its parameters'),
  status: z.int().min(0).max(999).describe('the HTTP status'),
  text: z
    .string()
    .max(MAX_UNKNOWN_TEXT)
    .describe('the beginning of the answer; addresses, tokens and what persons wrote are masked'),
})
export type UnknownAnswer = z.infer<typeof UnknownAnswer>
