import { CITY } from './city/geography.ts'
import type { City } from './city.ts'
import type { Counters } from './counters.ts'
import type { Exchange } from './exchange.ts'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'
import { type View, viewOf } from './view.ts'

/** What the parts of the simulated site share. */
export interface Site {
  city: City
  counters: Counters
  /** The options in force; read them at each request. */
  options: () => SiteOptions
  /** The site's own address, e.g. `http://127.0.0.1:4000`. */
  origin: () => string
  /** Where the consent page is, without a slash at the end: below `origin`, or an origin of its own. */
  consentBase: () => string
}

/** How to word the answer to a request. */
export function viewFor(site: Site, exchange: Exchange): View {
  const { vintage, now, inlineReviews, actionsFirst } = site.options()
  const layout = { inlineReviews, actionsFirst, withCountry: isForeign(site, exchange) }
  return viewOf(exchange.url.searchParams.get('hl') ?? 'en', vintage, Date.parse(now), layout)
}

/** Whether somebody in another country than the city's asks: `gl` says where, else the exit does. */
function isForeign(site: Site, { url, address }: Exchange): boolean {
  const country = url.searchParams.get('gl') ?? site.options().exitCountries[address] ?? CITY.country
  return country.toUpperCase() !== CITY.country
}

const TRIM_SALT = 9201
const VINTAGE_SALT = 9202

/** The view of a place payload: during a rollout some come in the other generation. */
export function placeViewFor(site: Site, exchange: Exchange): View {
  const view = viewFor(site, exchange)
  const { mixedVintages } = site.options()
  if (!chance(site.city.seed, exchange.nth, VINTAGE_SALT).happens(mixedVintages)) return view
  return viewOf(view.hl, view.vintage === '2023' ? '2026' : '2023', view.now, view.layout)
}

/** Whether this answer is trimmed. A page brings its own cookie, so what it embeds counts as asked for with NID. */
export function isTrimmed(site: Site, exchange: Exchange, hasNid = exchange.cookies.has('NID')): boolean {
  const { trimmed, limited, trimShares, trimExits } = site.options()
  if (trimmed || limited) return true
  const share = trimExits[exchange.address] ?? (hasNid ? trimShares.withNid : trimShares.withoutNid)
  return chance(site.city.seed, exchange.nth, TRIM_SALT).happens(share)
}
