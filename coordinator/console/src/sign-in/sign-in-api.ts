import { answered, api, type Schemas } from '../api/client.ts'

/** An identity provider for sign-in. */
export type Provider = Schemas['SignInProviders']['providers'][number]

/** Reads the identity providers of this deployment. */
export async function listProviders(): Promise<Provider[]> {
  return (await answered(api.GET('/auth/providers'))).providers
}

/** Returns the URL that signs in with a provider and returns to the current page. */
export function loginUrl({ login_path }: Provider): string {
  const { pathname, search } = location
  const back = pathname.startsWith('/console/sign-in') ? '/console/' : pathname + search
  return `${login_path}?return_to=${encodeURIComponent(back)}`
}

/**
 * Exchanges the token of a sign-in link for a session of this browser.
 * @throws ApiFailure when the token is unknown, used or too old.
 */
export const exchangeLink = (token: string) => answered(api.POST('/auth/link', { body: { token } }))

let token: string | undefined

/**
 * Returns the one-time token in the fragment of a sign-in link, once. Removes the token from the URL before other code
 * runs, so that no history entry contains it.
 */
export function takeLinkToken(): string | undefined {
  const taken = token
  token = undefined
  return taken
}

const found = new URLSearchParams(location.hash.slice(1)).get('link')
if (found) {
  token = found
  history.replaceState(history.state, '', location.pathname + location.search)
}
