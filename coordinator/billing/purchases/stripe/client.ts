import Stripe from 'stripe'

/**
 * The API version whose objects `objects.ts` reads. Events may come in another version: only ids are read from them.
 */
const API_VERSION = '2026-10-28.endive'

/** Creates the official client. `apiBase` names a server in place of Stripe's, e.g. for tests. */
export function createStripeClient(
  secretKey: string,
  { apiBase, timeoutMs }: { apiBase?: string | undefined; timeoutMs: number },
): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
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
