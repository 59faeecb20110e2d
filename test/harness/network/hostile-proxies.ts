import { type ForwardProxy, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'

/** A user's list of cheap proxies. */
export type HostileProxies = {
  /** The proxies, in the order of the user's list. */
  readonly proxies: readonly ForwardProxy[]
  /** The addresses that the map site blocks. */
  readonly watched: readonly string[]
  close(): Promise<void>
}

/**
 * Starts ten proxies. 3 of them are dead (on request every other one is silent), and the map site blocks 2 by their
 * address.
 */
export async function startHostileProxies(count: number, silent = false): Promise<HostileProxies> {
  const kinds = Array.from({ length: count }, (_, nth) => kindOf(nth))
  const proxies = await Promise.all(
    kinds.map((kind, nth) =>
      startForwardProxy({
        resolve: () => undefined,
        localAddress: addressOf(nth),
        ...(kind === 'dead' ? { failure: silent && nth % 2 === 1 ? 'silent' : 'dead' } : {}),
      }),
    ),
  )
  return {
    proxies,
    watched: kinds.flatMap((kind, nth) => (kind === 'watched' ? [addressOf(nth)] : [])),
    close: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
  }
}

const addressOf = (nth: number) => `127.0.1.${nth + 1}`

function kindOf(nth: number): 'dead' | 'watched' | 'good' {
  const digit = nth % 10
  if (digit === 0 || digit === 3 || digit === 7) return 'dead'
  return digit === 1 || digit === 6 ? 'watched' : 'good'
}
