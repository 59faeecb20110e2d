import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { LanguageProvider } from '../texts/language.ts'
import { AuthGate } from './auth-gate.tsx'
import { styleNonce } from './content-policy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { cssVariables, theme } from './theme.ts'

type AppProps = {
  queries: QueryClient
  /** In a test, nothing moves and a dialog is gone as soon as it is closed. */
  env?: 'default' | 'test'
}

/** The console: the page of the current path, within the parts that all pages share. */
export function App({ queries, env = 'default' }: AppProps) {
  return (
    <MantineProvider
      env={env}
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <Notifications position="bottom-right" limit={4} />
          <Router base="/console">
            <ErrorBoundary>
              <AuthGate />
            </ErrorBoundary>
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
