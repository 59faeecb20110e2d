import './nonce.ts'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { createQueries } from '../api/queries.ts'
import { LanguageProvider } from '../texts/language.tsx'
import { styleNonce } from './nonce.ts'
import { SignedInOr } from './signed-in.tsx'
import { cssVariables, theme } from './theme.ts'

const queries = createQueries()

/** The console: what all pages share around the page of the present path. */
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
            <SignedInOr />
          </Router>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
