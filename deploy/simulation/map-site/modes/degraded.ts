import { z } from 'zod'
import { addresses, milliseconds, share } from './values.ts'

/** Answers with status 200 that hold less than they should, and plain failures. Sources: CLIENT.md, sections 1.3 and 4. */
export const DEGRADED_MODES = {
  latencyMs: z
    .object({ min: milliseconds, max: milliseconds })
    .default({ min: 0, max: 0 })
    .describe('every page and payload waits this long, evenly spread between the two'),
  failureRate: share
    .default(0)
    .describe('share of pages and payloads that fail: 500, connection reset, cut short, or garbage'),
  foreignRate: share.default(0).describe('share of pages and payloads in another language than asked for'),
  trimmed: z.boolean().default(false).describe('every payload is trimmed, even with the NID cookie'),
  trimShares: z
    .strictObject({ withNid: share, withoutNid: share })
    .default({ withNid: 0, withoutNid: 1 })
    .describe(
      'share of payloads that are trimmed, with and without the NID cookie, decided for each answer (serp#3513, #4316: up to 0.5 with it; yasaslive: 7 in 8 without)',
    ),
  trimExits: z
    .record(z.string(), share)
    .default({})
    .describe('the same for single exits, whatever their cookies: {address: share} (serp#3513, by exit)'),
  limited: z
    .boolean()
    .default(false)
    .describe('limited view: banner on pages, no counts, trimmed payloads, at most 5 reviews (9to5google 2026-02)'),
  limitedPlaces: share
    .default(1)
    .describe('share of places that searches of the limited view still show (imagazine.pl 2026-02-20)'),
  emptySearches: z
    .strictObject({ first: share, later: share, per: z.enum(['answer', 'identity']), exits: addresses.optional() })
    .default({ first: 0, later: 0, per: 'answer' })
    .describe(
      'share of empty search answers, on the first page and on later ones, decided for each answer or for each identity (exit and NID); with exits only for these (serp#2171, #2648; GMC: silently empty without a residential exit)',
    ),
  mobileEmpty: z.boolean().default(false).describe('searches are empty for mobile user agents (geoshare#459)'),
  wrongPlace: share
    .default(0)
    .describe(
      'share of searches answered for another place: the viewport is ignored (serp release note 2025-12-30); it has the same latitude',
    ),
  flicker: share
    .default(0)
    .describe(
      'share of places that each search answer leaves out; 0.143 shows 54 % of them in all of four runs (gosom#295)',
    ),
  exitCountries: z
    .record(z.string(), z.string().length(2))
    .default({})
    .describe(
      'countries of exits: {address: ISO-2}; one that is not the country of the city has it appended to addresses, unless gl is sent (incognito_mode 2.1)',
    ),
  genericPages: share.default(0).describe('share of place pages answered by the plain map page (geoshare PR#286)'),
  reviewList: z
    .enum(['open', 'shut', 'forbidden'])
    .default('open')
    .describe('listugcposts: shut answers with nulls only, forbidden with 403 to every exit (gosom#327)'),
  reviewsCut: z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('lists of reviews end after so many, without a token: 8 or 18 (serp#3517), 5 (insyra#249)'),
  missingTokens: share
    .default(0)
    .describe('share of review pages whose token for the next one is missing (serp#3945, #4181)'),
  outages: z
    .partialRecord(
      z.enum(['search-payload', 'place-payload', 'reviews', 'photos', 'search-page', 'place-page', 'maps-page']),
      z.union([z.literal(400), z.literal(403), z.literal(404), z.literal(410), z.literal(500), z.literal(503)]),
    )
    .default({})
    .describe(
      'kinds of requests that are answered with a status: {kind: status} (serp#3302, #3320; christivn PR#6: 410)',
    ),
}
