import { type AllowHosts, checkTarget } from '@placefleet/shared/egress/target'
import type { WebPresence } from '@placefleet/shared/web-presence/tiers'
import { readWebsite } from '@placefleet/shared/web-presence/website-url'

const OWN_PAGES: readonly WebPresence[] = ['has', 'builder']

/**
 * Whether a listed website can name the business's own addresses: an http(s) page it wrote itself (tier `has` or
 * `builder`), or one on a host the operator exempts in `EGRESS_ALLOW_HOSTS`. A page on a platform names the platform's.
 */
export function worthVisiting(website: string | undefined, tier: WebPresence, allow: AllowHosts): boolean {
  const listed = readWebsite(website)
  if (listed.kind !== 'url') return false
  const target = checkTarget(listed.url, allow)
  return target.ok && (target.allowed || OWN_PAGES.includes(tier))
}
