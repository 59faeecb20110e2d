import { CITY } from './city/geography.ts'
import { createCity } from './city.ts'
import { createCounters } from './counters.ts'
import type { Exchange } from './exchange.ts'
import { createExits } from './exits.ts'
import { changedOptions, SiteOptions } from './options.ts'
import { chance } from './random.ts'
import { type View, viewOf } from './view.ts'

/** The state that the parts of the simulated site share. */
export type Site = ReturnType<typeof createSite>

export type SiteStart = { seed: number; places: number; options?: Partial<SiteOptions> }

/** Creates the state of a site. A change of its blocks and limits ends all blocks. */
export function createSite(start: SiteStart, origin: () => string, consentOrigin: () => string) {
  let options = SiteOptions.parse(start.options ?? {})
  const exits = createExits()
  return {
    city: createCity(start),
    counters: createCounters(),
    exits,
    /** Returns the current options. Call it for each request. */
    options: () => options,
    /**
     * Changes some options.
     * @throws ZodError
     */
    change(change: unknown): SiteOptions {
      options = changedOptions(options, change)
      if (['blocked', 'rateLimit', 'blockGrows'].some((name) => name in Object(change))) exits.reset()
      return options
    },
    /** Returns the site's origin, e.g. `http://127.0.0.1:4000`. */
    origin,
    /** Returns the base URL of the consent page, without a trailing slash: below `origin`, or a separate origin. */
    consentBase: () => (options.consentElsewhere ? consentOrigin() : `${origin()}/consent`),
  }
}

/** Decides by chance, for a purpose (`salt`) of a request. */
export const happens = (site: Site, { nth }: Exchange, share: number, salt: number): boolean =>
  chance(site.city.seed, nth, salt).happens(share)

/** Returns the view for the answer to a request. Without `gl` the exit tells the country of the client. */
export function viewFor(site: Site, { url, address, hl }: Exchange): View {
  const { nodes, exitCountries } = site.options()
  const country = url.searchParams.get('gl') ?? exitCountries[address] ?? CITY.country
  return viewOf(hl, { withCountry: country.toUpperCase() !== CITY.country, nodes })
}

const TRIM_SALT = 9201

/**
 * Returns whether this answer is trimmed. A page sets the NID cookie itself, so its embedded payload counts as sent
 * with NID. OTZ is the cookie that a script of the pages sets.
 */
export function isTrimmed(site: Site, exchange: Exchange, hasNid = exchange.cookies.has('NID')): boolean {
  const { limited, trimPlainHttp, trimShares, trimExits } = site.options()
  if (limited || (trimPlainHttp && !exchange.cookies.has('OTZ'))) return true
  const share = trimExits[exchange.address] ?? (hasNid ? trimShares.withNid : trimShares.withoutNid)
  return happens(site, exchange, share, TRIM_SALT)
}
