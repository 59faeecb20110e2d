import { type ForwardProxyStart, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { onTestFinished } from 'vitest'
import { type Socks5Start, startSocks5Server } from './socks5-server.ts'

/** Starts an HTTP proxy that ends with the test. It resolves no name unless told how. */
export async function forwardProxy(start: Partial<ForwardProxyStart> = {}) {
  const proxy = await startForwardProxy({ resolve: () => undefined, ...start })
  onTestFinished(() => proxy.close())
  return { ...proxy, address: new URL(proxy.url).host }
}

/** Starts a SOCKS5 proxy that ends with the test. */
export async function socksProxy(start: Socks5Start = {}) {
  const proxy = await startSocks5Server(start)
  onTestFinished(() => proxy.close())
  return { ...proxy, address: `${proxy.host}:${proxy.port}` }
}

/** The hosts that an agent must be allowed for these proxies. */
export const allowing = (...proxies: readonly { address: string }[]) => new Set(proxies.map(({ address }) => address))
