import { type ForwardProxy, startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'

/** The proxies of a user who bought cheap ones. */
export type HostileProxies = {
  /** In the order in which the user lists them. */
  readonly proxies: readonly ForwardProxy[]
  /** The addresses that the map site is to block. */
  readonly watched: readonly string[]
  close(): Promise<void>
}

/** Of ten proxies 3 are dead (every other one silent, if asked for) and 2 are known to the map site by their address. */
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
