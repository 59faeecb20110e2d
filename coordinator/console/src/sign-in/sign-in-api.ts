import { queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, type Schemas, unwrap } from '../api/client.ts'

export type Provider = Schemas['SignInProviders']['providers'][number]

/** The identity providers of this deployment. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async () => (await unwrap(api.GET('/auth/providers'))).providers,
})

/** Returns the URL that signs in with a provider and returns to the current page. */
export function loginUrl({ login_path }: Provider): string {
  const { pathname, search } = location
  const back = pathname.startsWith('/console/sign-in') ? '/console/' : pathname + search
  return `${login_path}?return_to=${encodeURIComponent(back)}`
}

/**
 * Exchanges the token of a sign-in link for a session of this browser.
 * @throws PlacefleetError when the token is unknown, used or too old.
 */
export const exchangeLink = (token: string) => unwrap(api.POST('/auth/link', { body: { token } }))

/**
 * Signs the first operator in with ADMIN_TOKEN.
 * @throws PlacefleetError when the token is wrong or used, or is not set.
 */
export const claim = (token: string) => unwrap(api.POST('/auth/claim', { body: { token } }))

let token: string | undefined
const listeners = new Set<() => void>()

/**
 * Returns the one-time token of the sign-in link that this tab opened, until `forgetLinkToken`. A link may also be pasted
 * into a tab that shows the console already.
 */
export const useLinkToken = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => token,
  )

/** Forgets the token of the sign-in link, because it was used or will not be. */
export const forgetLinkToken = (): void => setToken(undefined)

function setToken(value: string | undefined): void {
  token = value
  for (const listener of listeners) listener()
}

/** Takes the tokens of sign-in links out of the URL, before other code runs, so that no history entry contains one. */
export function followSignInLinks(): void {
  readLink()
  addEventListener('hashchange', readLink)
}

function readLink(): void {
  const link = new URLSearchParams(location.hash.slice(1)).get('link')
  if (!link) return
  history.replaceState(history.state, '', location.pathname + location.search)
  setToken(link)
}
