import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../api/client.ts'
import { SESSION_KEY } from '../api/queries.ts'

/** Who is signed in. */
export type Session = { user: { id: string; email: string; role: 'user' | 'operator' }; expires_at: string }

/** The session of this browser; `null` when nobody is signed in. */
export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 })
}

async function readSession(): Promise<Session | null> {
  const answer = await fetch('/auth/session')
  if (answer.status === 401) return null
  if (!answer.ok) throw new ApiFailure(answer.status, await answer.json().catch(() => ({})), undefined)
  return (await answer.json()) as Session
}
