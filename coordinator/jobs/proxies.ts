import type { AllowHosts } from '@placefleet/shared/egress/target'
import { checkProxyUrl } from '@placefleet/shared/proxy-url'
import { z } from 'zod'
import { AppError } from '../http/errors.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

// The user's own proxies of a job or a monitor. Their URLs hold passwords, so they are stored encrypted.

/**
 * Rejects proxies that are malformed or point into a private network.
 * @throws AppError `bad_request`. It names each proxy by its index, because URLs may hold passwords.
 */
export function checkProxies(proxies: string[], allow: AllowHosts): void {
  const details = proxies.flatMap((proxy, index) => {
    const message = checkProxyUrl(proxy, allow)
    return message === undefined ? [] : [{ path: `proxies.${index}`, message }]
  })
  const [first] = details
  if (first) throw new AppError('bad_request', `${first.path}: ${first.message}`, { details })
}

/** Returns the fields that store proxies. */
export const sealedProxies = (secrets: SecretBox, proxies: readonly string[]) => ({
  proxy_count: proxies.length,
  ...(proxies.length > 0 && { sealed_proxies: secrets.seal(JSON.stringify(proxies)) }),
})

const Proxies = z.array(z.string())

/** Returns the stored proxies. */
export const openedProxies = (secrets: SecretBox, sealed_proxies: string | undefined): string[] =>
  sealed_proxies === undefined ? [] : Proxies.parse(JSON.parse(secrets.open(sealed_proxies)))
