import { hasProofCookie } from './browser-proof.ts'
import { CITY } from './city/geography.ts'
import type { City } from './city.ts'
import type { Counters } from './counters.ts'
import type { Exchange } from './exchange.ts'
import type { SiteOptions } from './options.ts'
import { chance } from './random.ts'
import { type View, viewOf } from './view.ts'

/** The state that the parts of the simulated site share. */
export interface Site {
  city: City
  counters: Counters
  /** Returns the current options. Call it for each request. */
  options: () => SiteOptions
  /** Returns the site's origin, e.g. `http://127.0.0.1:4000`. */
  origin: () => string
  /** Returns the base URL of the consent page, without a trailing slash: below `origin`, or a separate origin. */
  consentBase: () => string
}

/** Returns the view for the answer to a request. */
export function viewFor(site: Site, exchange: Exchange): View {
  const { now, nodes } = site.options()
  const layout = { withCountry: isForeign(site, exchange), nodes }
  return viewOf(exchange.url.searchParams.get('hl') ?? 'en', Date.parse(now), layout)
}

/** Returns whether the client is outside the city's country, according to `gl` or else to its exit. */
function isForeign(site: Site, { url, address }: Exchange): boolean {
  const country = url.searchParams.get('gl') ?? site.options().exitCountries[address] ?? CITY.country
  return country.toUpperCase() !== CITY.country
}

const TRIM_SALT = 9201

/**
 * Returns whether this answer is trimmed. A page sets the NID cookie itself, so its embedded payload counts as sent
 * with NID.
 */
export function isTrimmed(site: Site, exchange: Exchange, hasNid = exchange.cookies.has('NID')): boolean {
  const { limited, trimPlainHttp, trimShares, trimExits } = site.options()
  if (limited || (trimPlainHttp && !hasProofCookie(exchange))) return true
  const share = trimExits[exchange.address] ?? (hasNid ? trimShares.withNid : trimShares.withoutNid)
  return chance(site.city.seed, exchange.nth, TRIM_SALT).happens(share)
}
