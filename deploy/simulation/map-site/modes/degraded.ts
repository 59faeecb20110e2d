import { z } from 'zod'
import { addresses, milliseconds, share } from './values.ts'

/** Incomplete answers with status 200, and failures. Where the real site has them: sources.ts. */
export const DEGRADED_MODES = {
  latencyMs: z
    .object({ min: milliseconds, max: milliseconds })
    .default({ min: 0, max: 0 })
    .describe('delay of every page and payload, uniformly distributed between min and max'),
  failureRate: share
    .default(0)
    .describe('share of pages and payloads that fail: status 500, connection reset, truncated body or garbage'),
  trimShares: z
    .strictObject({ withNid: share, withoutNid: share })
    .default({ withNid: 0, withoutNid: 1 })
    .describe('share of trimmed payloads, with and without the NID cookie, decided for each answer'),
  trimExits: z
    .record(z.string(), share)
    .default({})
    .describe('share of trimmed payloads by exit, with any cookies: {address: share}'),
  trimPlainHttp: z
    .boolean()
    .default(false)
    .describe(
      'payloads are trimmed for clients without the cookie that a script of the pages sets, whatever their NID',
    ),
  limited: z
    .boolean()
    .default(false)
    .describe('limited view: a banner on pages, no counts, trimmed payloads, at most 5 reviews'),
  emptySearches: z
    .strictObject({ first: share, later: share, exits: addresses.optional() })
    .default({ first: 0, later: 0 })
    .describe(
      'share of empty search answers, on the first page and on later pages, decided for each answer; exits: only these exits',
    ),
  wrongPlace: share
    .default(0)
    .describe('share of searches that ignore the viewport and return places elsewhere, at the same latitude'),
  flicker: share
    .default(0)
    .describe('share of places that each search answer omits; with 0.143 four runs all show 54 % of the places'),
  exitCountries: z
    .record(z.string(), z.string().length(2))
    .default({})
    .describe(
      'countries of exits: {address: ISO-2}; a foreign exit gets street addresses with the country appended, unless the request has gl',
    ),
  localBoq: z
    .enum(['open', 'empty', 'forbidden', 'gone', 'garbage', 'limited', 'breaks'])
    .default('open')
    .describe(
      'GetLocalBoqProxy: empty returns no reviews, forbidden 403, gone 404, garbage a payload of another form, limited 429 with the captcha, breaks: 403 from the second page on',
    ),
  localBoqPage: z
    .number()
    .int()
    .min(1)
    .max(60)
    .default(60)
    .describe('most reviews of a page of GetLocalBoqProxy, whatever is requested: 60, or 10'),
  reviewsCut: z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('most reviews of a list, which then ends without a token, e.g. 5, 8 or 18'),
  missingTokens: share.default(0).describe('share of review pages without the token of the next page'),
  outages: z
    .partialRecord(
      z.enum(['search-payload', 'place-payload', 'reviews', 'photos', 'search-page', 'place-page', 'maps-page']),
      z.union([z.literal(400), z.literal(403), z.literal(404), z.literal(410), z.literal(500), z.literal(503)]),
    )
    .default({})
    .describe('requests that fail with a fixed status, by kind: {kind: status}'),
}
