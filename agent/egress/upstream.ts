import type { lookup } from 'node:dns'
import { formatProxyUrl, parseProxyUrl } from '@placefleet/shared/proxy-url'
import { EgressRefused, type Guard, pinTarget } from './guard.ts'

/** A vetted proxy: its canonical URL, and the look-up that leads to its vetted address only. */
export type Upstream = { readonly url: string; readonly dnsLookup: typeof lookup }

/**
 * Vets a user's proxy like any other target, for a proxy URL is how a stranger names a host for us to connect to.
 * SOCKS proxies are given by address, because proxy-chain has no look-up hook for them. Throws EgressRefused, whose
 * text never holds the URL.
 */
export async function vetUpstream(proxyUrl: string, guard: Guard): Promise<Upstream> {
  const parsed = parseProxyUrl(proxyUrl)
  if (!parsed.ok) throw new EgressRefused('invalid_proxy')
  const pinned = await pinTarget({ host: parsed.proxy.host, port: parsed.proxy.port }, guard)
  const socks = parsed.proxy.scheme.startsWith('socks')
  const url = formatProxyUrl(socks ? { ...parsed.proxy, host: pinned.address } : parsed.proxy)
  return { url, dnsLookup: pinnedLookup(pinned) }
}

/** A look-up for sockets that answers with one vetted address, whatever the name and the form of the question. */
export function pinnedLookup({ address, family }: { address: string; family: number }): typeof lookup {
  const answer = (_hostname: string, ...rest: unknown[]): void => {
    const [options, callback] = rest.length > 1 ? rest : [undefined, rest[0]]
    if (typeof callback !== 'function') throw new TypeError('a look-up needs a callback')
    if (wantsAll(options)) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
  return Object.assign(answer, { __promisify__: notPromised })
}

function wantsAll(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'all' in options && options.all === true
}

function notPromised(): never {
  throw new Error('a pinned look-up has no promise form')
}
