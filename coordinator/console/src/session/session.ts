import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../api/client.ts'
import { isSignedOut } from '../api/errors.ts'
import { SESSION_KEY } from '../api/queries.ts'

export type Session = Schemas['CurrentSession']

/** The session of this browser; `null` without a signed-in user. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: readSession,
  // Somebody may sign in with another tab.
  staleTime: ({ state }) => (state.data === null ? 0 : 60_000),
})

async function readSession(): Promise<Session | null> {
  try {
    return await unwrap(api.GET('/auth/session'))
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** Ends the session of this browser. Returns the sign-out page of the identity provider, if there is one. */
export async function signOut(): Promise<string | null> {
  const answer = await fetch('/auth/logout', { method: 'POST' })
  return answer.headers.get('location')
}
