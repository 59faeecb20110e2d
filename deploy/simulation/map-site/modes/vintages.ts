import { z } from 'zod'
import { DEFAULT_NOW } from '../clock.ts'
import { NODE_SIZES } from '../payload/bulk.ts'
import { VINTAGES } from '../view.ts'
import { share } from './values.ts'

/** The imitated generation of pages and payloads. Sources: `SOURCES` in options.ts. */
export const VINTAGE_MODES = {
  vintage: z.enum(VINTAGES).default('2026').describe('generation of pages and payloads'),
  nodes: z
    .enum(NODE_SIZES)
    .default('small')
    .describe(
      'size of places in payloads: as in captures (97 to 274 KB a place, 20 to 50 KB trimmed), or only what clients read',
    ),
  mixedVintages: share
    .default(0)
    .describe('share of place payloads of the other generation, as during a rollout (gosom#190)'),
  envelope: z
    .enum(['rows', 'list'])
    .default('rows')
    .describe('position of the places in search payloads: [0][1], or [64] (christivn PR#6)'),
  searchAddress: z
    .enum(['usual', 'unknown'])
    .default('usual')
    .describe(
      'unknown: search payloads have another address, which only the pages of the site know; the usual one is gone (serp#1722; christivn PR#6: 410)',
    ),
  inlineReviews: z
    .enum(['nine', 'zero'])
    .default('nine')
    .describe(
      'position of reviews in place payloads: [175][9][0][0] (captures since 2023-09), or [175][0][0] (2023-04)',
    ),
  reviewListAt: z
    .union([z.literal(2), z.literal(0)])
    .default(2)
    .describe('position of the items in review lists: [2], or [0] (gosom#208, #209)'),
  actionsFirst: z
    .enum(['bookings', 'orders'])
    .default('bookings')
    .describe('first group of links at [75][0]; captures contain both orders'),
  pageState: z
    .enum(['inline', 'late', 'keyed', 'absent'])
    .default('inline')
    .describe(
      'APP_INITIALIZATION_STATE: inline in the page, set by a script 2 s late, keyed ([3] is an object with changing keys), or absent (gosom#202, #204, #206)',
    ),
  gzip: z.boolean().default(true).describe('compress answers for clients that accept gzip'),
  now: z.iso.datetime().default(DEFAULT_NOW).describe('current time of the site'),
}
