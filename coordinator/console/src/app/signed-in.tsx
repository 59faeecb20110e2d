import { Center } from '@mantine/core'
import { Failure, Loading } from '../parts/data-states.tsx'
import { useSession } from '../session/session.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { Pages } from './pages.tsx'
import { Shell } from './shell.tsx'

/** The console for who is signed in, else the way in. */
export function SignedInOr() {
  const session = useSession()
  if (session.data) {
    return (
      <Shell session={session.data}>
        <Pages session={session.data} />
      </Shell>
    )
  }
  if (session.data === null) return <SignIn />
  return (
    <Center mih="60vh" p="md">
      {session.error ? <Failure error={session.error} retry={session.refetch} /> : <Loading />}
    </Center>
  )
}
