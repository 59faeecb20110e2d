import type { Logger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { MAX_DRIFTED } from '@placefleet/shared/protocol'
import type { Review } from '@placefleet/shared/review'
import {
  INLINE_REVIEW_PATHS,
  LISTED_REVIEW_PATHS,
  PLACE_PATHS,
  SEARCH_PATHS,
  type WatchedPath,
} from './watched-paths.ts'

/** Watches how often each field of the map site's payloads is filled, over all tasks. */
export type Drift = {
  /**
   * Counts a place that came whole and the reviews in it, or an empty place when it could not be read. Leave out places
   * with missing parts: the site holds them back from an exit, which says nothing about its layout.
   */
  collected(place: Partial<Place>): void
  /** Counts places of a search payload. */
  listed(places: readonly Partial<Place>[]): void
  /** Counts the reviews of a list. */
  reviewed(reviews: readonly Review[]): void
  /** The paths with too little data in their last hundred places or reviews, as many as a report takes. */
  drifted(): string[]
}

/** Places or reviews per check: few enough to notice a new layout within a job, and enough to avoid false alarms. */
export const WINDOW = 100

/** Creates a watch. Every hundred places or reviews it logs each path with too little data and calls `onDrift`. */
export function createDrift(log: Logger, onDrift: (path: string) => void): Drift {
  const counts = new Map<string, { read: number; filled: number }>()
  const raised = new Set<string>()
  const count = <Item>(items: readonly Partial<Item>[], watched: readonly WatchedPath<Item>[]) => {
    for (const item of items) {
      for (const { field, path, least } of watched) {
        const { read, filled } = counts.get(path) ?? { read: 0, filled: 0 }
        const now = { read: read + 1, filled: filled + (item[field] === undefined ? 0 : 1) }
        counts.set(path, now.read < WINDOW ? now : { read: 0, filled: 0 })
        if (now.read < WINDOW) continue
        raised.delete(path)
        if (now.filled >= least * WINDOW) continue
        raised.add(path)
        log.error(
          { path, field, filled: now.filled, of: WINDOW, least },
          'a payload path of the map site has too little data',
        )
        onDrift(path)
      }
    }
  }
  return {
    collected(place) {
      count([place], PLACE_PATHS)
      count(place.user_reviews ?? [], INLINE_REVIEW_PATHS)
    },
    listed: (places) => count(places, SEARCH_PATHS),
    reviewed: (reviews) => count(reviews, LISTED_REVIEW_PATHS),
    drifted: () => [...raised].slice(0, MAX_DRIFTED),
  }
}
