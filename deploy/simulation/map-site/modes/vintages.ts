import { z } from 'zod'
import { DEFAULT_NOW } from '../clock.ts'
import { VINTAGES } from '../view.ts'
import { share } from './values.ts'

/** Which generation of pages and payloads is imitated. Sources: CLIENT.md, section 4, and PAYLOADS.md. */
export const VINTAGE_MODES = {
  vintage: z.enum(VINTAGES).default('2026').describe('generation of pages and payloads'),
  mixedVintages: share
    .default(0)
    .describe('share of place payloads of the other generation, as in a rollout (gosom#190)'),
  envelope: z
    .enum(['rows', 'list'])
    .default('rows')
    .describe('where search payloads hold their places: [0][1], or [64] (christivn PR#6)'),
  inlineReviews: z
    .enum(['nine', 'zero'])
    .default('nine')
    .describe('where place payloads hold reviews: [175][9][0][0] (captures of 2023-09 on), or [175][0][0] (2023-04)'),
  reviewListAt: z
    .union([z.literal(2), z.literal(0)])
    .default(2)
    .describe('where review lists hold their items: [2], or [0] (gosom#208, #209)'),
  actionsFirst: z
    .enum(['bookings', 'orders'])
    .default('bookings')
    .describe('which group of links stands first at [75][0]; captures have either, and the position says nothing'),
  pageState: z
    .enum(['inline', 'late', 'keyed', 'absent'])
    .default('inline')
    .describe(
      'APP_INITIALIZATION_STATE: in the page, put there 2 s late by a script, with [3] as an object under changing keys from the start, or nowhere (gosom#202, #204, #206)',
    ),
  gzip: z.boolean().default(true).describe('answers are compressed for clients that can read it'),
  now: z.iso.datetime().default(DEFAULT_NOW).describe('the moment the site believes it is'),
}
