import { z } from 'zod'

/** Why a place that the user named was not stored. */
export const MISSED_INPUT = ['not_found', 'filtered', 'out_of_area', 'blocked', 'failed'] as const
export type MissedInput = (typeof MISSED_INPUT)[number]

/**
 * What an agent says of a place that the user named. `reference_key`: the key of its reference. `place_key`: its own
 * key, where that is another one.
 */
export const InputReport = z.object({
  reference_key: z.string(),
  place_key: z.string().max(64).optional(),
  status: z.enum(MISSED_INPUT).optional(),
})
export type InputReport = z.infer<typeof InputReport>
