import type { ForbiddenReason } from './forbidden-addresses.ts'
import { type Lookup, resolvePublic } from './resolve.ts'
import { type AllowHosts, checkTarget, type RefusedTarget } from './target.ts'

/** A checked URL. Connect to `address`, and use the name of the URL only for the Host header and TLS. */
export type Route = { readonly url: URL; readonly host: string; readonly port: number; readonly address: string }

/** A checked URL, or why it was refused. */
export type PinResult =
  | { readonly ok: true; readonly route: Route }
  | { readonly ok: false; readonly reason: RefusedTarget | ForbiddenReason | 'invalid_host' | 'lookup_failed' }

/** Exempt hosts, and the resolver. */
export type PinOptions = { readonly allow: AllowHosts; readonly lookup: Lookup }

/**
 * Checks an https URL and resolves its host once to the address to connect to. Call it for every attempt. Refuses URLs
 * that are not https, that hold credentials, or of whose addresses one is not public. Never rejects.
 */
export async function pinHttps(text: string, { allow, lookup }: PinOptions): Promise<PinResult> {
  const url = URL.parse(text)
  if (!url) return { ok: false, reason: 'invalid_url' }
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return { ok: false, reason: 'scheme' }
  const target = checkTarget(url, allow)
  if (!target.ok) return target
  const { host, port } = target
  const resolution = await resolvePublic(host, { allow, port, lookup, refusesMixed: true })
  if (!resolution.ok) return { ok: false, reason: resolution.reason }
  return { ok: true, route: { url, host, port, address: resolution.addresses[0].address } }
}
