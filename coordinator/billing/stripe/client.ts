import Stripe from 'stripe'

/** The version whose objects `objects.ts` reads. Events may come in another: only ids are read of them. */
const API_VERSION = '2026-10-28.endive'

/**
 * One call, body included, takes this long at most; with one repetition after a pause of half a second, 12.5 s in all. A client
 * of ours has its answer within 15 s, since no request of one makes more than one call.
 */
const TIMEOUT_MS = 6_000

/** The official client. `apiBase` names another server than Stripe's own, e.g. for tests. */
export function createStripeClient(secretKey: string, apiBase?: string): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'placefleet' },
    // Unlike the default client its time limit is for the whole call: an answer that trickles in cannot hold us up.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'error' })),
    ...(apiBase === undefined ? {} : addressOf(apiBase)),
  })
}

function addressOf(apiBase: string) {
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' } as const
}
