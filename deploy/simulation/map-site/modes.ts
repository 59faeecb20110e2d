import { z } from 'zod'

// Each mode says what it does, and where the real site did it: a mode without a source must go. "Issue N of serp" is
// one of github.com/serpapi/public-roadmap, "of gosom" of github.com/gosom/google-maps-scraper.

/** A share or probability, 0 to 1. */
const share = z.number().min(0).max(1)
const flag = z.boolean().default(false)
const most = z.int().min(1)
/** At most ten minutes. */
const milliseconds = z.int().min(0).max(600_000)
/** Client addresses as the site sees them, e.g. 127.0.0.5. */
const addresses = z.array(z.string())

/** The forms of a refusal. */
export const REFUSAL_FORMS = ['by-kind', '429', '302', '200', 'stub', '403', 'bare-403', 'enablejs', 'sg-rel'] as const

const limit = z.strictObject({
  requests: most,
  windowMs: milliseconds,
  blockMs: milliseconds,
  addresses: addresses.optional(),
})

const FAILING = [
  'search-payload',
  'place-payload',
  'reviews',
  'photos',
  'search-page',
  'place-page',
  'maps-page',
] as const

/** Which requests the site refuses, in which form and for how long. */
const REFUSALS = {
  blockPlainHttp: flag.meta({
    description: 'refuse payloads to requests that no script of the site sends',
    source: 'issue 51 of typicalninja/google-sr (pages for browsers only, January 2025); issue 327 of gosom',
  }),
  refusalForm: z.enum(REFUSAL_FORMS).default('by-kind').meta({
    description:
      'by-kind (pages redirect to the captcha page, payloads contain it), 429, 302, 200, stub (a small page with a refresh), 403, bare-403 (without the captcha), enablejs, sg-rel (the page for clients without scripts)',
    source: 'classify.py of the Python package google-browser-scraper; 403: issue 327 of gosom',
  }),
  rateLimit: limit.nullable().default(null).meta({
    description: 'most requests of an exit in windowMs; one more blocks it for blockMs; addresses: only these exits',
    source: 'issue 24 of bropines/chrome-lens-py: 50 requests a minute of one address were blocked for two days',
  }),
  blocked: z
    .union([z.literal('everyone'), addresses])
    .default([])
    .meta({
      description: 'exits to block until this option changes: a list of addresses, or everyone',
      source: 'as rateLimit, without an end within a test',
    }),
  blockGrows: flag.meta({
    description: 'a request during a block restarts it, and each block is twice as long',
    source: 'issue 24 of bropines/chrome-lens-py and issue 36 of opsdisk/pagodo',
  }),
  retryAfter: flag.meta({
    description: 'send Retry-After with the refusals of a block',
    source: 'HTTP (RFC 9110) allows it with 429 and 503; crawlee, version 4, honours it',
  }),
  consent: flag.meta({
    description: 'redirect clients without the SOCS cookie to the consent page',
    source: 'recorded consent pages of 2026; exits in the European Union meet them',
  }),
  consentElsewhere: flag.meta({
    description: 'serve the consent page on a separate origin',
    source: 'the recorded pages are of consent.google.com',
  }),
}

/** Slow, failing and incomplete answers. */
const DEGRADED = {
  latencyMs: z.object({ min: milliseconds, max: milliseconds }).default({ min: 0, max: 0 }).meta({
    description: 'delay of every page and payload, uniformly distributed between min and max',
    source: 'any network',
  }),
  failureRate: share.default(0).meta({
    description: 'share of pages and payloads that fail: status 500, connection reset, truncated body or garbage',
    source: 'any network',
  }),
  outages: z
    .partialRecord(z.enum(FAILING), z.literal([400, 403, 404, 410, 500, 503]))
    .default({})
    .meta({
      description: 'requests that fail with a fixed status, by kind: {kind: status}',
      source:
        'issues 3302 and 3320 of serp (one endpoint without answers); 410: pull request 6 of christivn/mapScraper',
    }),
  trimShares: z.strictObject({ withNid: share, withoutNid: share }).default({ withNid: 0, withoutNid: 1 }).meta({
    description: 'share of trimmed payloads, with and without the NID cookie, decided for each answer',
    source:
      'issues 3513, 3515 and 4316 of serp: up to half of all answers of February and September 2026; 7 of 8 without the cookie: the actor yasaslive/google-maps-leads-email-enrichment',
  }),
  trimExits: z.record(z.string(), share).default({}).meta({
    description: 'share of trimmed payloads by exit, with any cookies: {address: share}',
    source: 'issue 3513 of serp: the share differed by exit',
  }),
  trimPlainHttp: flag.meta({
    description: 'payloads are trimmed for clients without the cookie that a script of the pages sets',
    source: 'notes of the tool Vela, June 2026, of popular times; the demo uses it to show Chromium at work',
  }),
  limited: flag.meta({
    description: 'limited view: a banner on pages, no counts, trimmed payloads, at most 5 reviews',
    source: '9to5google, 18 February 2026; recorded pages of March 2026 with the banner',
  }),
  exitCountries: z.record(z.string(), z.string().length(2)).default({}).meta({
    description: 'countries of exits: {address: ISO-2}; without gl, addresses end with the country for foreign exits',
    source: 'the actor incognito_mode, version 2.1',
  }),
  localBoq: z.enum(['open', 'empty', 'forbidden', 'gone', 'garbage', 'limited', 'breaks']).default('open').meta({
    description:
      'GetLocalBoqProxy: no reviews, 403, 404, a payload of another form, 429 with the captcha, or 403 from the second page on',
    source:
      'eight public tools read it in 2026; one calls it dead, one met 429 after 230 fast requests; 403 from the second page on: issue 3945 of serp',
  }),
  localBoqPage: most.max(60).default(60).meta({
    description: 'most reviews of a page of GetLocalBoqProxy, whatever is requested: 60, or 10',
    source: 'issue 249 of HazelnutParadise/insyra: 10 a page; other tools ask for up to 60',
  }),
  reviewsCut: z.int().min(0).nullable().default(null).meta({
    description: 'most reviews of a list, which then ends without a token, e.g. 5, 8 or 18',
    source: 'issue 3517 of serp: lists of 8 and 18; issue 249 of HazelnutParadise/insyra: 5',
  }),
  missingTokens: share.default(0).meta({
    description: 'share of review pages without the token of the next page',
    source: 'issues 3945 and 4181 of serp',
  }),
}

/** What searches list, and in which pages. */
const SEARCHES = {
  order: z.enum(['relevance', 'distance']).default('relevance').meta({
    description: 'order of search results',
    source: 'article 7091 of the help for businesses: relevance, distance and prominence',
  }),
  mostResults: most.max(1_000).default(120).meta({
    description: 'most places that a search returns: 120 as the page, up to 839, or 20',
    source: 'recorded pages end near 120; issue 669 of serp: 219; issue 26 of gosom: 20',
  }),
  shortPages: share.default(0).meta({
    description: 'share of pages before the last with fewer than 20 places',
    source: 'issue 669 of serp',
  }),
  lastPage: z.enum(['any', 'full']).default('any').meta({
    description: 'full: a later page with fewer than 20 places is empty',
    source: 'issue 669 of serp: nothing from 200 on, 20 more from 198 on',
  }),
  afterEnd: z.enum(['empty', 'first-page']).default('empty').meta({
    description: 'the answer after the last page: empty, or the first page again',
    source: 'issue 1340 of serp',
  }),
  offsetZero: z.enum(['fine', 'empty-when-sent', 'empty-when-absent']).default('fine').meta({
    description: 'return an empty first page when the request has offset 0, or when it has none',
    source: 'issues 1722 and 2171 of serp: each form was the empty one for a while',
  }),
  pagesNeedViewport: flag.meta({
    description: 'without coordinates, return empty pages from the second on',
    source: 'issue 2563 of serp',
  }),
  emptySearches: z.strictObject({ first: share, later: share }).default({ first: 0, later: 0 }).meta({
    description: 'share of empty search answers, on the first page and on later pages, decided for each answer',
    source: 'issues 2171 and 2648 of serp; promisingcoder/GoogleMapsCollector: empty without a residential exit',
  }),
  wrongPlace: share.default(0).meta({
    description: 'share of searches that ignore the viewport and return places elsewhere, at the same latitude',
    source: 'release note of SerpApi of 30 December 2025: "results for wrong location"',
  }),
  flicker: share.default(0).meta({
    description: 'share of places that each search answer omits; with 0.143 four runs all show 54 % of the places',
    source: 'issue 295 of gosom: 21 of 39 places were in each of four runs',
  }),
  ads: flag.meta({
    description: 'show two sponsored places on the first page of each search',
    source: 'recorded searches of 2021 and 2025',
  }),
  similar: flag.meta({
    description: 'add similar places from elsewhere to first pages; they are not results',
    source: 'an issue of the actor compass/crawler-google-places: similar places went past the limit',
  }),
}

/** The forms of pages and payloads. */
const FORMS = {
  placePages: z.enum(['request', 'embed']).default('request').meta({
    description: 'place pages request their payload, or hold it',
    source: 'recorded place pages: those of 2023 and 2025 hold it, those of 2026 request it',
  }),
  nodes: z.enum(['captured', 'small']).default('small').meta({
    description: 'size of places in payloads: as recorded (97 to 274 KB, 20 to 50 KB trimmed), or what clients read',
    source: 'recorded places of 2023 to 2026',
  }),
  envelope: z.enum(['rows', 'list']).default('rows').meta({
    description: 'position of the places in search payloads: [0][1], or [64]',
    source: 'the recorded search of August 2025; pull request 6 of christivn/mapScraper',
  }),
  searchAddress: z.enum(['usual', 'unknown']).default('usual').meta({
    description: 'unknown: only the pages of the site know the address of search payloads; the usual one is gone',
    source: 'issue 1722 of serp; pull request 6 of christivn/mapScraper: an older address answers 410',
  }),
  gzip: z.boolean().default(true).meta({
    description: 'compress answers for clients that accept gzip',
    source: 'HTTP',
  }),
}

/** All modes of the simulated site. Any combination works. */
export const MODES = { ...REFUSALS, ...DEGRADED, ...SEARCHES, ...FORMS }
