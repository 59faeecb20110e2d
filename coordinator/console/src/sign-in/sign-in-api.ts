import { ApiFailure } from '../api/client.ts'

/** An identity provider one can sign in with. */
export type Provider = { name: string; path: string }

/** The identity providers of this deployment, none without OIDC settings. */
export async function listProviders(): Promise<Provider[]> {
  const answer = await fetch('/auth/providers')
  if (answer.status === 404) return []
  if (!answer.ok) throw new ApiFailure(answer.status, {}, undefined)
  const { providers } = (await answer.json()) as { providers: { name: string; login_path?: string }[] }
  return providers.map(({ name, login_path = '/auth/login' }) => ({ name, path: login_path }))
}

/** Where to go to sign in with a provider and come back to the present page. */
export function loginUrl(path: string): string {
  return `${path}?return_to=${encodeURIComponent(location.pathname + location.search)}`
}

/**
 * Exchanges the token of a sign-in link for a session of this browser.
 * @throws ApiFailure when the token is unknown, used or too old.
 */
export async function exchangeLink(token: string): Promise<void> {
  const answer = await fetch('/auth/link', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (!answer.ok) throw new ApiFailure(answer.status, await answer.json().catch(() => ({})), undefined)
}
