import { type Query, type QueryCache, useQueryClient } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import { isTemporary } from './errors.ts'
import { CONNECTION_KEY } from './queries.ts'

/** Since when the page shows old data, in milliseconds, and why it is not newer. */
type Staleness = { since: number; error: unknown }

/**
 * Returns how old the oldest data is that the page shows and could not read again; undefined while all is new. Data that
 * could never be read has an error of its own in the page.
 */
export function stalenessOf(queries: readonly Query[]): Staleness | undefined {
  const connection = queries.find(({ queryKey }) => queryKey[0] === CONNECTION_KEY[0])?.state
  if (connection?.error)
    return { since: connection.dataUpdatedAt || connection.errorUpdatedAt, error: connection.error }
  const old = queries
    .filter((query) => query.isActive() && query.state.data !== undefined && isTemporary(query.state.error))
    .map(({ state }) => ({ since: state.dataUpdatedAt, error: state.error }))
  return old.toSorted((one, other) => one.since - other.since)[0]
}

/** Watches a cache. `current` returns the same object until something about it changes. */
export function watchStaleness(cache: QueryCache) {
  let last: Staleness | undefined
  return {
    subscribe: (listener: () => void) => cache.subscribe(listener),
    current() {
      const next = stalenessOf(cache.getAll())
      if (next?.since !== last?.since || next?.error !== last?.error) last = next
      return last
    },
  }
}

/** Returns whether the page shows old data; undefined while all is new. */
export function useStaleness(): Staleness | undefined {
  const cache = useQueryClient().getQueryCache()
  const { subscribe, current } = useMemo(() => watchStaleness(cache), [cache])
  return useSyncExternalStore(subscribe, current)
}
