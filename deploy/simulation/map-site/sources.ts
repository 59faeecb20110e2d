import type { SiteOptions } from './options.ts'

/**
 * Where the real site did what a mode does. "Issue N of serp" is one of github.com/serpapi/public-roadmap,
 * "of gosom" of github.com/gosom/google-maps-scraper. A mode without a source must go.
 */
export const SOURCES = {
  blockPlainHttp: 'Issue 51 of typicalninja/google-sr (pages for browsers only, January 2025); issue 327 of gosom.',
  refusalForm:
    'classify.py of the Python package google-browser-scraper lists the captcha as 429, as redirect, as 200 and as a stub, and the page for clients without scripts (enablejs, emsg=SG_REL). 403: issue 327 of gosom.',
  rateLimit: 'Issue 24 of bropines/chrome-lens-py: 50 requests a minute of one address were blocked for two days.',
  blocked: 'As rateLimit, without an end within a test.',
  blockGrows: 'Issue 24 of bropines/chrome-lens-py and issue 36 of opsdisk/pagodo: asking during a block lengthens it.',
  retryAfter: 'HTTP (RFC 9110) allows it with 429 and 503; crawlee, version 4, honours it.',
  latencyMs: 'Any network.',
  failureRate: 'Any network: status 500, reset connections, cut and wrong bodies.',
  trimShares:
    'Issues 3513, 3515 and 4316 of serp: up to half of all answers of February and September 2026 lacked whole groups. The actor yasaslive/google-maps-leads-email-enrichment: 7 of 8 without the cookie.',
  trimExits: 'Issue 3513 of serp: the share differed by exit.',
  trimPlainHttp: 'Notes of the tool Vela, June 2026, of popular times; the demo uses it to show Chromium at work.',
  limited: '9to5google, 18 February 2026; recorded pages of March 2026 with the banner.',
  emptySearches:
    'Issues 2171 and 2648 of serp; promisingcoder/GoogleMapsCollector: silently empty without a residential exit.',
  wrongPlace: 'Release note of SerpApi of 30 December 2025: "results for wrong location".',
  flicker: 'Issue 295 of gosom: 21 of 39 places were in each of four runs.',
  exitCountries: 'The actor incognito_mode, version 2.1: the country stands at the end for exits of another one.',
  localBoq:
    'Eight public tools read GetLocalBoqProxy in 2026; one calls it dead (gone, empty), one met 429 after 230 fast requests (limited); 403 from the second page on as for other lists of reviews in issue 3945 of serp.',
  localBoqPage: 'Issue 249 of HazelnutParadise/insyra: 10 a page; other tools ask for up to 60.',
  reviewsCut: 'Issue 3517 of serp: lists of 8 and 18; issue 249 of HazelnutParadise/insyra: 5.',
  missingTokens: 'Issues 3945 and 4181 of serp.',
  outages: 'Issues 3302 and 3320 of serp (one endpoint without answers); pull request 6 of christivn/mapScraper: 410.',
  order: 'Article 7091 of the help for businesses: relevance, distance and prominence.',
  mostResults: 'Recorded pages end near 120; issue 669 of serp: 219; issue 26 of gosom: 20.',
  shortPages: 'Issue 669 of serp.',
  lastPage: 'Issue 669 of serp: nothing from 200 on, 20 more from 198 on.',
  afterEnd: 'Issue 1340 of serp.',
  offsetZero: 'Issues 1722 and 2171 of serp: each form was the empty one for a while.',
  pagesNeedViewport: 'Issue 2563 of serp.',
  ads: 'Recorded searches of 2021 and 2025.',
  similar: 'An issue of the actor compass/crawler-google-places: similar places went past the limit.',
  consent: 'Recorded consent pages of 2026; exits in the European Union meet them.',
  consentElsewhere: 'The recorded pages are of consent.google.com.',
  decoys: 'classify.py of google-browser-scraper; the actor prodiger/google-search-scraper, version 0.1.7.',
  placePages: 'Recorded place pages: that of 2023 holds its payload, those of 2026 request it.',
  nodes: 'Recorded places of 2023 to 2026.',
  envelope: 'The recorded search of August 2025; pull request 6 of christivn/mapScraper.',
  searchAddress: 'Issue 1722 of serp; pull request 6 of christivn/mapScraper: an older address answers 410.',
  pageState: 'Issues 202, 204 and 206 of gosom.',
  gzip: 'HTTP.',
  now: 'A clock of tests.',
} satisfies Record<keyof SiteOptions, string>
