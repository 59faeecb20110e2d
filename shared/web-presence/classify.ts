import { classifyAddress } from '../egress/forbidden-addresses.ts'
import { matchHost, noSiteRule } from './host-list.ts'
import { bareHost } from './host-name.ts'
import { pathRule } from './path-rules.ts'
import { RULES } from './rules.ts'
import type { WebPresence } from './tiers.ts'
import { unwrapOnce } from './unwrap.ts'
import { type ListedWebsite, readWebsite } from './website-url.ts'

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
