import { answered, api, type Schemas } from '../api/client.ts'

/** An identity provider one can sign in with. */
export type Provider = Schemas['SignInProviders']['providers'][number]

/** The identity providers of this deployment; none where none is set. */
export async function listProviders(): Promise<Provider[]> {
  return (await answered(api.GET('/auth/providers'))).providers
}

/** Where to go to sign in with a provider and come back to the present page. */
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
 * The one-time token that a sign-in link carries in its fragment. It is taken out of the address before anything else runs, so
 * that it stands in no history entry, and is given once.
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
