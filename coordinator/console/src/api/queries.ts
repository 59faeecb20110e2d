import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isRefusal } from './client.ts'

/** The shortest poll interval. Hidden tabs do not poll. */
export const POLL_MS = 2_000

export const SESSION_KEY = ['session']

const TRIES = 4

/**
 * Creates the cache of API responses. Temporary failures (429, 503, no network) are retried after the delay that the
 * API requests. When the session has ended, the sign-in page appears.
 */
export function createQueries(): QueryClient {
  const signedOut = (error: unknown) => {
    if (isRefusal(error) && error.status === 401) void queries.invalidateQueries({ queryKey: SESSION_KEY })
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
          isRefusal(error) && error.retryAfter !== undefined ? error.retryAfter * 1_000 : 1_000 * 2 ** failures,
      },
      mutations: { retry: false },
    },
  })
  return queries
}

const isPassing = (error: unknown): boolean => !isRefusal(error) || [429, 502, 503].includes(error.status)
