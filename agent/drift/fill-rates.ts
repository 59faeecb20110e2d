import type { Place } from '@placefleet/shared/place'
import type { WatchedPath } from './watched-paths.ts'

/** How many of the last places had each field. */
export type FillRates = { readonly places: number; readonly filled: Readonly<Record<string, number>> }

/** Nothing seen yet. */
export const NO_RATES: FillRates = { places: 0, filled: {} }

/** Places that are looked at together: few enough to notice a new layout within a job, enough not to be fooled. */
export const WINDOW = 100

/** The rates with one place more. A place of which not even a title could be read is given as an empty one. */
export function withPlace(rates: FillRates, place: Partial<Place>, watched: readonly WatchedPath[]): FillRates {
  const filled = Object.fromEntries(
    watched.map(({ field }) => [field, (rates.filled[field] ?? 0) + (place[field] === undefined ? 0 : 1)]),
  )
  return { places: rates.places + 1, filled }
}

/** The watched paths that give less than they must, once a whole window has been seen; before that none. */
export function drifted({ places, filled }: FillRates, watched: readonly WatchedPath[]): WatchedPath[] {
  if (places < WINDOW) return []
  return watched.filter(({ field, least }) => (filled[field] ?? 0) < least * places)
}
