import type { Logger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import {
  INLINE_REVIEW_PATHS,
  LISTED_REVIEW_PATHS,
  PLACE_PATHS,
  SEARCH_PATHS,
  type WatchedPath,
} from './watched-paths.ts'

/** Watches how often each field of the map site's payloads is filled, over all tasks. */
export type DriftAlarm = {
  /** Records a place from a place payload and the reviews in it, or an empty place when it could not be read. */
  collected(place: Partial<Place>): void
  /** Records a place from a search payload. */
  listed(place: Partial<Place>): void
  /** Records the reviews of a list. */
  reviewed(reviews: readonly Review[]): void
  /** The paths with too little data in the last hundred places. */
  drifted(): string[]
}

/**
 * Creates an alarm. Every hundred places or reviews it logs each path with too little data and calls `onDrift`. Trimmed answers
 * raise it too.
 */
export function createDriftAlarm(log: Logger, onDrift: (path: string) => void): DriftAlarm {
  const watch = <Item extends object>(watched: readonly WatchedPath<Item>[]) => {
    let rates: FillRates = NO_RATES
    let raised: string[] = []
    const note = (item: Partial<Item>) => {
      rates = withItem(rates, item, watched)
      if (rates.items < WINDOW) return
      const found = drifted(rates, watched)
      raised = found.map(({ path }) => path)
      for (const { field, path, least } of found) {
        const filled = rates.filled[field]
        log.error({ path, field, filled, of: rates.items, least }, 'a payload path of the map site has too little data')
        onDrift(path)
      }
      rates = NO_RATES
    }
    return { note, raised: () => raised }
  }
  const places = watch(PLACE_PATHS)
  const searches = watch(SEARCH_PATHS)
  const inline = watch(INLINE_REVIEW_PATHS)
  const lists = watch(LISTED_REVIEW_PATHS)
  return {
    collected(place) {
      places.note(place)
      for (const review of place.user_reviews ?? []) inline.note(review)
    },
    listed: searches.note,
    reviewed(reviews) {
      for (const review of reviews) lists.note(review)
    },
    drifted: () => [places, searches, inline, lists].flatMap(({ raised }) => raised()),
  }
}

/** Counts how many of the last places or reviews had each field. */
type FillRates = { readonly items: number; readonly filled: Readonly<Record<string, number>> }

/** The rates before the first place or review. */
export const NO_RATES: FillRates = { items: 0, filled: {} }

/** Places or reviews per check: few enough to notice a new layout within a job, and enough to avoid false alarms. */
export const WINDOW = 100

/** Returns the rates with one more place or review. One that could not be read counts as empty. */
export function withItem<Item extends object>(
  rates: FillRates,
  item: Partial<Item>,
  watched: readonly WatchedPath<Item>[],
): FillRates {
  const filled = Object.fromEntries(
    watched.map(({ field }) => [field, (rates.filled[field] ?? 0) + (item[field] === undefined ? 0 : 1)]),
  )
  return { items: rates.items + 1, filled }
}

/** Returns the watched paths that are filled too rarely. Empty before the first hundred places or reviews. */
export function drifted<Item>(
  { items, filled }: FillRates,
  watched: readonly WatchedPath<Item>[],
): WatchedPath<Item>[] {
  if (items < WINDOW) return []
  return watched.filter(({ field, least }) => (filled[field] ?? 0) < least * items)
}
