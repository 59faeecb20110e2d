import { brandOf, isWithin, withParents } from './host-name.ts'
import { HOSTS, RULES } from './rules.ts'
import type { WebPresence } from './tiers.ts'

/** The tier of a host, and the list entry that decided. */
type HostMatch = { readonly tier: WebPresence; readonly rule: string }

const TIERS = ['social', 'directory', 'builder', 'booking'] as const
const ENTRIES: ReadonlyMap<string, WebPresence> = new Map(
  TIERS.flatMap((tier) => HOSTS[tier].map((host): [string, WebPresence] => [host.toLowerCase(), tier])),
)

/**
 * Finds the list entry of a host (without `www.`), by README steps 8 and 9: the longest entry on label boundaries, then
 * brand patterns (`yelp.*`). Undefined when no entry matches.
 */
export function matchHost(host: string): HostMatch | undefined {
  return byEntry(host) ?? byBrand(host)
}

function byEntry(host: string): HostMatch | undefined {
  const entry = withParents(host).find((parent) => ENTRIES.has(parent))
  const tier = entry && ENTRIES.get(entry)
  if (!tier) return undefined
  return tier === 'builder' ? builderMatch(host, entry) : { tier, rule: `host:${entry}` }
}

// A builder counts only where customers publish: on subdomains, or on its own host when it publishes by path.
function builderMatch(host: string, entry: string): HostMatch {
  const customer = host.slice(0, -entry.length - 1)
  const counts = customer === '' ? RULES.path_hosts.includes(entry) : isCustomer(customer)
  return counts ? { tier: 'builder', rule: `host:${entry}` } : { tier: 'has', rule: `builder_itself:${entry}` }
}

function byBrand(host: string): HostMatch | undefined {
  const owner = brandOf(host)
  const entry = owner && `${owner.brand}.*`
  const tier = entry && ENTRIES.get(entry)
  if (!tier) return undefined
  if (tier === 'builder' && !isCustomer(owner.subdomain)) return { tier: 'has', rule: `builder_itself:${entry}` }
  return { tier, rule: `brand:${entry}` }
}

// The label next to the builder's name decides: help.weebly.com is Weebly's, help.blumen.weebly.com a customer's.
function isCustomer(subdomain: string): boolean {
  const label = subdomain.split('.').at(-1) ?? ''
  return label !== '' && !RULES.reserved_subdomains.includes(label)
}

/** Whether a host belongs to web mail or to a seller of parked domains (README step 6). */
export function noSiteRule(host: string): string | undefined {
  if (RULES.webmail_hosts.includes(host)) return `webmail:${host}`
  const seller = RULES.parked_hosts.find((parked) => isWithin(host, parked))
  return seller && `parked:${seller}`
}
