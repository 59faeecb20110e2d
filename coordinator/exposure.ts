import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import type { Logger } from '@placefleet/shared/log'
import type { Config } from './config.ts'

/** Warns when the API's keys and answers can be read by others on their way. Clients of an https PUBLIC_URL come through TLS. */
export function warnOfOpenApi({ HOST: host, PUBLIC_URL }: Config, log: Logger): void {
  const isLoopback = host === 'localhost' || classifyAddress(host) === 'loopback'
  if (isLoopback || PUBLIC_URL?.startsWith('https:')) return
  log.warn(
    { host },
    'the API is served without TLS on an address others can reach, so API keys travel in clear; put a proxy with TLS in front and set PUBLIC_URL to its https address',
  )
}
