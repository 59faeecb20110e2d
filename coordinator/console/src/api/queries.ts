import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './client.ts'

/** Nothing polls faster than this, and nothing polls in a hidden tab. */
export const POLL_MS = 2_000

export const SESSION_KEY = ['session']

const TRIES = 4

/**
 * The cache of what the API answered. What failed for a moment (429, 503, no network) is asked again after the time the API
 * names; a session that has ended leads to the sign-in page.
 */
export function createQueries(): QueryClient {
  const signedOut = (error: unknown) => {
    if (error instanceof ApiFailure && error.status === 401) void queries.invalidateQueries({ queryKey: SESSION_KEY })
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: signedOut }),
    mutationCache: new MutationCache({ onError: signedOut }),
    defaultOptions: {
      queries: {
        staleTime: POLL_MS,
        refetchIntervalInBackground: false,
        retry: (failures, error) => failures < TRIES && isPassing(error),
        retryDelay: (failures, error) =>
          (error instanceof ApiFailure ? error.retryAfterMs : undefined) ?? 1_000 * 2 ** failures,
      },
      mutations: { retry: false },
    },
  })
  return queries
}

const isPassing = (error: unknown): boolean => !(error instanceof ApiFailure) || [429, 502, 503].includes(error.status)
