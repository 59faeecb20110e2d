import { z } from 'zod'
import { DEFAULT_NOW } from '../clock.ts'
import { NODE_SIZES } from '../payload/bulk.ts'

/** The forms of pages and payloads. Where the real site has them: sources.ts. */
export const FORM_MODES = {
  placePages: z
    .enum(['request', 'embed'])
    .default('request')
    .describe('place pages request their payload, or hold it, as those of 2023 did'),
  nodes: z
    .enum(NODE_SIZES)
    .default('small')
    .describe(
      'size of places in payloads: as in captures (97 to 274 KB a place, 20 to 50 KB trimmed), or only what clients read',
    ),
  envelope: z
    .enum(['rows', 'list'])
    .default('rows')
    .describe('position of the places in search payloads: [0][1], or [64]'),
  searchAddress: z
    .enum(['usual', 'unknown'])
    .default('usual')
    .describe(
      'unknown: search payloads have another address, which only the pages of the site know; the usual one is gone',
    ),
  pageState: z
    .enum(['inline', 'late', 'keyed', 'absent'])
    .default('inline')
    .describe(
      'APP_INITIALIZATION_STATE: inline in the page, set by a script 2 s late, keyed ([3] is an object with changing keys), or absent',
    ),
  gzip: z.boolean().default(true).describe('compress answers for clients that accept gzip'),
  now: z.iso.datetime().default(DEFAULT_NOW).describe('current time of the site'),
}
