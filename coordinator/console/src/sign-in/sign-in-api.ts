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
