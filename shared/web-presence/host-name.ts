import { parse } from 'tldts'

// Private suffixes mix site builders with registries, so tiers use only the ICANN section.
const ICANN_ONLY = { allowPrivateDomains: false, extractHostname: false, validateHostname: false }
const WITH_PRIVATE = { ...ICANN_ONLY, allowPrivateDomains: true }

/** Returns the host of a URL without trailing dots and without one leading `www.` or `www2.`. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/\.+$/, '').replace(/^www2?\./, '')
}

/** Returns whether `host` is `parent` or below it; compares whole labels. */
export function isWithin(host: string, parent: string): boolean {
  return host === parent || host.endsWith(`.${parent}`)
}

/** Returns the host itself and every parent, longest first: `a.b.de`, `b.de`, `de`. */
export function withParents(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** Splits a host: `m.yelp.co.uk` is the brand `yelp` with the subdomain `m`. Undefined for a bare public suffix. */
export function brandOf(host: string): { brand: string; subdomain: string } | undefined {
  const { domainWithoutSuffix, subdomain } = parse(host, ICANN_ONLY)
  return domainWithoutSuffix ? { brand: domainWithoutSuffix, subdomain: subdomain ?? '' } : undefined
}

/**
 * Returns whether a host matches an entry of a list. `google.*` is that brand under any public suffix with any
 * subdomain, `docs.google.*` only its subdomain `docs` and what is below it; any other entry is matched on label
 * boundaries.
 */
export function matchesHost(host: string, entry: string): boolean {
  if (!entry.endsWith('.*')) return isWithin(host, entry)
  const labels = entry.slice(0, -2).split('.')
  const label = labels.pop()
  const owner = brandOf(host)
  if (!owner || owner.brand !== label) return false
  return labels.length === 0 || isWithin(owner.subdomain, labels.join('.'))
}

/**
 * Returns the registrable domain of a host, by both sections of the public suffix list: `shop.de` for `www.shop.de`,
 * `blumen.wixsite.com` for itself. The host itself when it has none (IP literal, bare suffix).
 */
export function registrableDomain(host: string): string {
  return parse(host, WITH_PRIVATE).domain ?? host
}

/** Returns whether a host ends in a public suffix that is delegated (ICANN section): `shop.de`, but not `logo.png`. */
export function hasPublicSuffix(host: string): boolean {
  const { isIcann, domain } = parse(host, ICANN_ONLY)
  return isIcann === true && domain !== null
}
