import './content-policy.ts'
import { Center, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { createQueries } from '../api/queries.ts'
import { Failure, Loading } from '../parts/data-states.tsx'
import { useSession } from '../session/session.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { LanguageProvider } from '../texts/language.ts'
import { styleNonce } from './content-policy.ts'
import { Pages } from './pages.tsx'
import { Shell } from './shell.tsx'
import { cssVariables, theme } from './theme.ts'

const queries = createQueries()

/** The console: the page of the current path, within the parts that all pages share. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <Notifications position="bottom-right" limit={4} />
          <Router base="/console">
            <AuthGate />
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** The console for signed-in users, otherwise the sign-in page. */
function AuthGate() {
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
    <Center component="main" mih="60vh" p="md">
      {session.error ? <Failure error={session.error} retry={session.refetch} /> : <Loading />}
    </Center>
  )
}
