import { inAnyCase } from '../text.ts'

/** The values of `web_presence`, in the order in which counts are shown. */
export const WEB_PRESENCE_TIERS = ['none', 'social', 'directory', 'builder', 'booking', 'has'] as const

/** The kind of page that a business lists as its website. `has`: its own website. */
export type WebPresence = (typeof WEB_PRESENCE_TIERS)[number]

/** The values of `website_filter` of a job. */
export const WEBSITE_FILTERS = ['all', 'no_website', 'has_website'] as const

/** Which businesses a job keeps, decided when a place is collected. */
export type WebsiteFilter = (typeof WEBSITE_FILTERS)[number]

const KEPT_BY: Record<WebsiteFilter, readonly WebPresence[]> = {
  all: WEB_PRESENCE_TIERS,
  no_website: WEB_PRESENCE_TIERS.filter((tier) => tier !== 'has'),
  has_website: ['has'],
}

/** Returns whether a job with this filter keeps a place of this tier. */
export function matchesWebsiteFilter(tier: WebPresence, filter: WebsiteFilter): boolean {
  return KEPT_BY[filter].includes(tier)
}

/** Returns the requested tiers of a results query, or the first unknown value. */
type WebPresenceQuery =
  | { readonly ok: true; readonly tiers: readonly WebPresence[] }
  | { readonly ok: false; readonly unknown: string }

/**
 * Reads the `web_presence` parameter of the results endpoint: comma-separated tiers and group aliases (`all`,
 * `no_website`, `has_website`) in any case. Tiers come back once each, in the order of `WEB_PRESENCE_TIERS`.
 * An empty parameter means all six, as `all` does.
 */
export function parseWebPresenceQuery(text: string): WebPresenceQuery {
  const requested = new Set<WebPresence>()
  const values = text.split(',').map((value) => value.trim())
  for (const value of values.filter((candidate) => candidate !== '')) {
    const tiers = tiersNamed(value.toLowerCase())
    if (!tiers) return { ok: false, unknown: value }
    for (const tier of tiers) requested.add(tier)
  }
  return { ok: true, tiers: WEB_PRESENCE_TIERS.filter((tier) => requested.size === 0 || requested.has(tier)) }
}

const NAMED = `(${[...WEBSITE_FILTERS, ...WEB_PRESENCE_TIERS].map(inAnyCase).join('|')})`

/** The form of the `web_presence` parameter, for the API document. */
export const WEB_PRESENCE_PATTERN = `^ *(${NAMED} *)?(, *(${NAMED} *)?)*$`

function tiersNamed(value: string): readonly WebPresence[] | undefined {
  const filter = WEBSITE_FILTERS.find((name) => name === value)
  if (filter) return KEPT_BY[filter]
  const tier = WEB_PRESENCE_TIERS.find((name) => name === value)
  return tier && [tier]
}
