import type { Kind } from '@placefleet/deploy/simulation/map-site/classify'
import { REFUSAL_FORMS } from '@placefleet/deploy/simulation/map-site/modes'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'

/**
 * A city to collect. `gives` says what a patient client gets: everything, places without some of their parts, or only
 * some places. `proxies` means that the user has cheap proxies, some dead and some blocked by the site.
 */
export type Case = {
  readonly name: string
  readonly options: Partial<SiteOptions>
  readonly gives: 'everything' | 'places' | 'less'
  /** Places of the whole city. The search asks for one in twelve. */
  readonly city?: number
  readonly proxies?: boolean
  /** The site asks plain HTTP for scripts. That is no refusal, so the exit does not rest, and Chromium asks. */
  readonly climbs?: boolean
}

const EXIT = '127.0.0.1'
/** Long enough to outlast the first rest of one second. */
const BLOCK_MS = 1_500

const all = (name: string, options: Partial<SiteOptions>): Case => ({ name, options, gives: 'everything' })
const places = (name: string, options: Partial<SiteOptions>): Case => ({ name, options, gives: 'places' })
const less = (name: string, options: Partial<SiteOptions>): Case => ({ name, options, gives: 'less' })

export const CALM: Case = all('calm', {})

const refusals: Case[] = [
  ...REFUSAL_FORMS.map((refusalForm) => ({
    ...all(`block, ${refusalForm}`, { refusalForm, rateLimit: { requests: 40, windowMs: 600_000, blockMs: BLOCK_MS } }),
    climbs: refusalForm === 'enablejs' || refusalForm === 'sg-rel',
  })),
  all('block with Retry-After', {
    retryAfter: true,
    rateLimit: { requests: 40, windowMs: 600_000, blockMs: 3_000 },
  }),
  all('block that grows', { blockGrows: true, rateLimit: { requests: 60, windowMs: 600_000, blockMs: 800 } }),
  all('scripts wanted', { blockPlainHttp: true }),
]

const searches: Case[] = [
  all('order by distance', { order: 'distance' }),
  { ...all('219 places', { mostResults: 219 }), city: 2_628 },
  all('short pages', { shortPages: 1 }),
  all('last page only full', { lastPage: 'full' }),
  all('first page after the end', { afterEnd: 'first-page' }),
  all('offset 0 empty', { offsetZero: 'empty-when-sent' }),
  all('no offset empty', { offsetZero: 'empty-when-absent' }),
  all('pages need a viewport', { pagesNeedViewport: true }),
  all('ads', { ads: true }),
  all('similar places', { similar: true }),
  all('empty first pages', { emptySearches: { first: 0.5, later: 0 } }),
  all('empty later pages', { emptySearches: { first: 0, later: 0.25 } }),
  all('flicker', { flicker: 0.143 }),
  less('20 places', { mostResults: 20 }),
]

const degraded: Case[] = [
  all('slow', { latencyMs: { min: 50, max: 800 } }),
  all('failures', { failureRate: 0.05 }),
  all('half trimmed', { trimShares: { withNid: 0.5, withoutNid: 1 } }),
  all('trimmed for plain HTTP', { trimPlainHttp: true }),
  all('exit half trimmed', { trimExits: { [EXIT]: 0.5 } }),
  places('all trimmed', { trimShares: { withNid: 1, withoutNid: 1 } }),
  places('limited view', { limited: true }),
  places('exit of another country', { exitCountries: { [EXIT]: 'FR' } }),
]

const PAGES: readonly Kind[] = ['search-page', 'place-page', 'maps-page']

const outages: Case[] = [
  ...PAGES.map((kind) => all(`${kind} down`, { outages: { [kind]: 503 } })),
  less('search-payload down', { outages: { 'search-payload': 503 } }), // its pages request it too
  all('search-payload elsewhere', { searchAddress: 'unknown' }),
  places('place-payload down', { outages: { 'place-payload': 503 } }), // only the drawn page remains
  places('place-payload gone', { outages: { 'place-payload': 410 } }),
  places('place-payload forbidden', { outages: { 'place-payload': 403 } }),
  places('reviews down', { outages: { reviews: 503 } }),
  places('review window forbidden', { localBoq: 'forbidden' }),
  places('review window gone', { localBoq: 'gone' }),
  places('review window in pages of ten', { localBoqPage: 10 }),
  places('review window breaks', { localBoq: 'breaks' }),
  places('review window limited', { localBoq: 'limited' }),
  places('reviews cut', { reviewsCut: 8 }),
  all('tokens missing', { missingTokens: 0.5 }),
]

const shapes: Case[] = [
  all('consent', { consent: true }),
  all('consent elsewhere', { consent: true, consentElsewhere: true }),
  all('embedded payloads', { placePages: 'embed' }),
  all('list envelope', { envelope: 'list' }),
  all('no gzip', { gzip: false }),
]

/** A day on which much of that comes together. */
export const BAD_DAY: Partial<SiteOptions> = {
  latencyMs: { min: 20, max: 200 },
  failureRate: 0.03,
  retryAfter: true,
  consent: true,
  consentElsewhere: true,
  shortPages: 0.3,
  emptySearches: { first: 0.2, later: 0.15 },
  flicker: 0.1,
  similar: true,
  ads: true,
  trimShares: { withNid: 0.3, withoutNid: 1 },
  missingTokens: 0.2,
}

const together: Case[] = [
  all('a bad day', BAD_DAY),
  { ...all('cheap proxies', { latencyMs: { min: 50, max: 800 }, failureRate: 0.05 }), proxies: true },
]

/** Every mode of the simulated site alone, and days on which several come together. */
export const CASES: readonly Case[] = [...refusals, ...searches, ...degraded, ...outages, ...shapes, ...together]
