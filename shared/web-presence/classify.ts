import { classifyAddress } from '../egress/forbidden-addresses.ts'
import { bareHost, brandOf, isWithin, matchesHost, withParents } from './host-name.ts'
import { HOSTS, type PathRule, RULES } from './rules.ts'
import type { WebPresence } from './tiers.ts'
import { unwrapOnce } from './unwrap.ts'
import { type ListedWebsite, readWebsite } from './website-url.ts'

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
function matchHost(host: string): HostMatch | undefined {
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
function noSiteRule(host: string): string | undefined {
  if (RULES.webmail_hosts.includes(host)) return `webmail:${host}`
  const seller = RULES.parked_hosts.find((parked) => isWithin(host, parked))
  return seller && `parked:${seller}`
}

/**
 * Finds the first path rule that matches a URL (README step 7), for hosts that are a platform only on some paths, such
 * as
 * `amazon.*` with `/stores`. Pass `host` without `www.`. Paths match whole segments, in any case.
 */
function pathRule(host: string, pathname: string): PathRule | undefined {
  const segments = segmentsOf(pathname)
  return RULES.paths.find((rule) => hitsHost(host, rule) && startsWith(segments, segmentsOf(rule.path)))
}

function hitsHost(host: string, rule: PathRule): boolean {
  return rule.exact ? host === rule.host : matchesHost(host, rule.host)
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
}

function startsWith(segments: readonly string[], start: readonly string[]): boolean {
  return start.every((segment, index) => segments[index] === segment)
}

/**
 * The class of a listed website. `rule` names the rule that decided (for logs and tests). `website` is the listed URL,
 * or the target of a listed wrapper; absent when the listing holds no URL (a placeholder, `mailto:`, text). `unwrapped`
 * is the target of a wrapper.
 */
type Classification = {
  readonly tier: WebPresence
  readonly rule: string
  readonly website?: string
  readonly unwrapped?: string
}

// Google wraps AMP pages in redirects and translations. More layers than this are an attack.
const MAX_UNWRAPS = 3
// The longest name in DNS. The URL parser accepts longer names, and matching the lists takes quadratic time and memory.
const MAX_HOST = 253
const IP_LITERAL = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/**
 * Classifies the website of a listing, by steps 1 to 10 of the README beside the lists: clean, repair, parse, unwrap,
 * then host and path rules on the parsed host only. Pure. Never throws.
 */
export function classifyWebsite(listed: string | undefined): Classification {
  return classifyUnwrapped(readWebsite(listed), MAX_UNWRAPS)
}

function classifyUnwrapped(listed: ListedWebsite, unwrapsLeft: number): Classification {
  if (listed.kind === 'none') return { tier: 'none', rule: listed.rule }
  const website = listed.text
  if (listed.kind === 'app') return { tier: 'social', rule: listed.rule, website }
  if (listed.url.hostname.length > MAX_HOST) return { tier: 'none', rule: 'host_too_long', website }
  const noSite = unreachableRule(bareHost(listed.url))
  if (noSite) return { tier: 'none', rule: noSite, website }
  const target = unwrapsLeft > 0 ? unwrapOnce(listed.url) : undefined
  if (target !== undefined) return behindWrapper(classifyUnwrapped(readWebsite(target), unwrapsLeft - 1))
  return { ...classifyHost(listed.url), website }
}

const behindWrapper = (target: Classification): Classification =>
  target.website === undefined ? target : { ...target, unwrapped: target.website }

function unreachableRule(host: string): string | undefined {
  if (IP_LITERAL.test(host)) {
    const address = classifyAddress(host.replace(/^\[|\]$/g, ''))
    return address === 'public' ? undefined : `address:${address}`
  }
  if (!host.includes('.')) return 'no_dot'
  const tld = host.slice(host.lastIndexOf('.') + 1)
  return RULES.special_use_tlds.includes(tld) ? `special_use:${tld}` : undefined
}

function classifyHost(url: URL): { tier: WebPresence; rule: string } {
  const host = bareHost(url)
  const noSite = noSiteRule(host)
  if (noSite) return { tier: 'none', rule: noSite }
  const byPath = pathRule(host, url.pathname)
  if (byPath) return { tier: byPath.tier, rule: `path:${byPath.host}${byPath.path}` }
  return matchHost(host) ?? { tier: 'has', rule: 'own' }
}
