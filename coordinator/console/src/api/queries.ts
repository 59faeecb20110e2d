import { MutationCache, notifyManager, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isRefusal, isSignedOut, isTemporary } from './errors.ts'

/** The poll interval of what changes now. Hidden tabs do not poll. */
export const ACTIVE_POLL_MS = 2_000

/** The poll interval of everything else. */
export const IDLE_POLL_MS = 10_000

export const SESSION_KEY = ['session']
export const CONNECTION_KEY = ['connection']

const RETRIES = 3
const LONGEST_RETRY_MS = 30_000

const isKey = (key: QueryKey, other: QueryKey): boolean => key[0] === other[0]

/**
 * Creates the cache of API responses. Only what may succeed later (no connection, 429, 5xx) is retried, after the delay
 * that the API requests. When the session has ended, the session is read again; when the coordinator answers after an
 * outage, everything that is shown.
 */
export function createQueries(): QueryClient {
  // By default React hears a timer later that a request has begun, and until then a second click would send it again.
  notifyManager.setScheduler(queueMicrotask)
  const signedOut = (error: unknown) => {
    if (isSignedOut(error)) void queries.invalidateQueries({ queryKey: SESSION_KEY })
  }
  let isLost = false
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        if (isKey(queryKey, CONNECTION_KEY)) isLost = true
        signedOut(error)
      },
      onSuccess(_, { queryKey }) {
        if (!isLost || !isKey(queryKey, CONNECTION_KEY)) return
        isLost = false
        void queries.refetchQueries({ type: 'active', predicate: (query) => !isKey(query.queryKey, CONNECTION_KEY) })
      },
    }),
    mutationCache: new MutationCache({ onError: signedOut }),
    defaultOptions: {
      queries: {
        networkMode: 'always', // a machine without a network reaches its own coordinator
        staleTime: ACTIVE_POLL_MS,
        refetchIntervalInBackground: false,
        retry: (failures, error) => failures < RETRIES && isTemporary(error),
        retryDelay,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}

/** Returns the delay after so many failures before this one, in milliseconds. */
export function retryDelay(failures: number, error: unknown): number {
  const requested = isRefusal(error) ? error.retryAfter : undefined
  return Math.min(LONGEST_RETRY_MS, requested === undefined ? 1_000 * 2 ** failures : requested * 1_000)
}
