import Stripe from 'stripe'

/**
 * The API version whose objects `objects.ts` reads. Events may come in another version: only ids are read from them.
 */
const API_VERSION = '2026-10-28.endive'

/**
 * Timeout of one call with its body. With one retry after half a second, a call takes at most 12.5 s. Since no client
 * request makes more than one call, it answers within 15 s.
 */
const TIMEOUT_MS = 6_000

/** Creates the official client. `apiBase` names a server in place of Stripe's, e.g. for tests. */
export function createStripeClient(secretKey: string, apiBase?: string): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'placefleet' },
    // Unlike the default client, this one applies the timeout to the whole call, so a slow response cannot stall us.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: 'error' })),
    ...(apiBase === undefined ? {} : addressOf(apiBase)),
  })
}

function addressOf(apiBase: string) {
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return { host: hostname, port: port || (isPlain ? '80' : '443'), protocol: isPlain ? 'http' : 'https' } as const
}
