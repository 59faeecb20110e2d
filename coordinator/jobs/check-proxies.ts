import type { AllowHosts } from '@placefleet/shared/egress/target'
import { checkProxyUrl } from '@placefleet/shared/proxy-url'
import { AppError } from '../http/errors.ts'

/**
 * Refuses proxies that are none, or that point into a private network.
 * @throws AppError `bad_request` that names each of them by its place in the list, never by its URL.
 */
export function checkProxies(proxies: string[], allow: AllowHosts): void {
  const details = proxies.flatMap((proxy, index) => {
    const message = checkProxyUrl(proxy, allow)
    return message === undefined ? [] : [{ path: `proxies.${index}`, message }]
  })
  const [first] = details
  if (first) throw new AppError('bad_request', `${first.path}: ${first.message}`, { details })
}
