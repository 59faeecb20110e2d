import type { City } from './city.ts'
import type { Counters } from './counters.ts'
import type { Exchange } from './exchange.ts'
import type { SiteOptions } from './options.ts'
import { type View, viewOf } from './view.ts'

/** What the parts of the simulated site share. */
export interface Site {
  city: City
  counters: Counters
  /** The options in force; read them at each request. */
  options: () => SiteOptions
  /** The site's own address, e.g. `http://127.0.0.1:4000`. */
  origin: () => string
}

/** How to word the answer to a request. */
export function viewFor(site: Site, { url }: Exchange): View {
  const { vintage, now } = site.options()
  return viewOf(url.searchParams.get('hl') ?? 'en', vintage, Date.parse(now))
}

/** Whether the site trims all payloads: a limited view, or told so. */
export function trimsAll(site: Site): boolean {
  const { trimmed, limited } = site.options()
  return trimmed || limited
}

/** Whether a client that fetches a payload gets it trimmed: it has no NID cookie, or everybody does. */
export const isTrimmed = (site: Site, { cookies }: Exchange): boolean => trimsAll(site) || !cookies.has('NID')
