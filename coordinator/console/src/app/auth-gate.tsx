import { Center } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../api/client.ts'
import { CONNECTION_KEY } from '../api/queries.ts'
import { Failure, Loading } from '../parts/data-states.tsx'
import { type Session, sessionQuery } from '../session/session.ts'
import { SignIn, SignInAgain } from '../sign-in/sign-in.tsx'
import { Pages } from './pages.tsx'
import { Shell } from './shell.tsx'

const BEAT_MS = 3_000
const ANSWER_WITHIN_MS = 5_000

/**
 * Asks again and again whether the coordinator answers at all, so that also a page without polling notices an outage.
 * The cache reads everything again when it answers after an outage.
 */
const connectionQuery = queryOptions({
  queryKey: CONNECTION_KEY,
  queryFn: ({ signal }) =>
    unwrap(api.GET('/livez', { signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]) })),
  refetchInterval: BEAT_MS,
  staleTime: 0,
  retry: false,
})

/**
 * The console for signed-in users, otherwise the sign-in page. When the session ends, the page stays as it is, and the
 * user signs in before it.
 */
export function AuthGate() {
  useQuery(connectionQuery)
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const known = useKnownUser(session)
  if (known === undefined && session === null) return <SignIn />
  if (known !== undefined) {
    return (
      <>
        <Shell session={known} isSignedOut={session === null}>
          <Pages session={known} />
        </Shell>
        {session === null && <SignInAgain email={known.user.email} />}
      </>
    )
  }
  return (
    <Center component="main" mih="60vh" p="md">
      {error ? <Failure error={error} retry={refetch} /> : <Loading />}
    </Center>
  )
}

/**
 * Returns the last session of this page. After a new sign-in everything is read again. The page of one user is never
 * shown to another: it is loaded anew.
 */
function useKnownUser(session: Session | null | undefined): Session | undefined {
  const queries = useQueryClient()
  const [known, setKnown] = useState<Session>()
  const [wasSignedOut, setWasSignedOut] = useState(false)
  const isOther = session && known && session.user.id !== known.user.id
  if (session && !isOther && session !== known) setKnown(session)
  if (known && session === null && !wasSignedOut) setWasSignedOut(true)
  useEffect(() => {
    if (isOther) location.reload()
  }, [isOther])
  useEffect(() => {
    if (!session || !wasSignedOut) return
    setWasSignedOut(false)
    void queries.invalidateQueries()
  }, [session, wasSignedOut, queries])
  return isOther ? undefined : (known ?? session ?? undefined)
}
