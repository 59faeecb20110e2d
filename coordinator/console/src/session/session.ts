import { useQuery } from '@tanstack/react-query'
import { api, isRefusal, type Schemas, unwrap } from '../api/client.ts'
import { SESSION_KEY } from '../api/queries.ts'

/** The current session. */
export type Session = Schemas['CurrentSession']

/** Returns the session of this browser; `null` without a signed-in user. */
export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 })
}

async function readSession(): Promise<Session | null> {
  try {
    return await unwrap(api.GET('/auth/session'))
  } catch (error) {
    if (isRefusal(error) && error.status === 401) return null
    throw error
  }
}

/** Ends the session of this browser. Returns the sign-out page of the identity provider, if there is one. */
export async function signOut(): Promise<string | null> {
  const answer = await fetch('/auth/logout', { method: 'POST' })
  return answer.headers.get('location')
}
