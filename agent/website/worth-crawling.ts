import { type AllowHosts, checkTarget } from '@placefleet/shared/egress/target'
import { classifyWebsite } from '@placefleet/shared/web-presence/classify'
import { registrableDomain } from '@placefleet/shared/web-presence/host-name'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { readWebsite } from '@placefleet/shared/web-presence/website-url'

const OWN_PAGES: readonly WebPresence[] = ['has', 'builder']

/**
 * Whether a listed website can name the business's own addresses: an http(s) page it wrote itself (tier `has` or
 * `builder`), or one on a host the operator exempts in `EGRESS_ALLOW_HOSTS`. A page on a platform names the platform's.
 */
export function isWorthCrawling(website: string | undefined, tier: WebPresence, allow: AllowHosts): boolean {
  const listed = readWebsite(website)
  if (listed.kind !== 'url') return false
  const target = checkTarget(listed.url, allow)
  return target.ok && (target.allowed || OWN_PAGES.includes(tier))
}

/**
 * Whether a page that a visit of `site` (a registrable domain) was forwarded to can be the business's own: neither on a
 * platform nor at a seller of domains. Inside hosts are of no tier; those of the site itself were exempted by the operator.
 */
export function mayBeOwn(page: URL, site: string): boolean {
  const { tier } = classifyWebsite(page.href)
  return OWN_PAGES.includes(tier) || (tier === 'none' && registrableDomain(page.hostname) === site)
}
