import type { Logger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { PLACE_PATHS, SEARCH_PATHS, type WatchedPath } from './watched-paths.ts'

/** Watches what the map site's payloads give, over all tasks of an agent. */
export type DriftAlarm = {
  /** Notes a place as its own payload gave it; an empty one when nothing could be read of it. */
  collected(place: Partial<Place>): void
  /** Notes a place as a search payload gave it. */
  listed(place: Partial<Place>): void
  /** The paths that gave less than they must in the last hundred places. */
  drifted(): string[]
}

/**
 * An alarm that logs each path that gives less than it must, once every hundred places, and tells `onDrift`. Answers that
 * the site trims raise it too: what is missing then is missing for every user as well.
 */
export function createDriftAlarm(log: Logger, onDrift: (path: string) => void): DriftAlarm {
  const watch = (watched: readonly WatchedPath[]) => {
    let rates: FillRates = NO_RATES
    let raised: string[] = []
    const note = (place: Partial<Place>) => {
      rates = withPlace(rates, place, watched)
      if (rates.places < WINDOW) return
      const found = drifted(rates, watched)
      for (const { field, path, least } of found) {
        const filled = rates.filled[field]
        log.error({ path, field, filled, of: rates.places, least }, 'a known path of the map site resolves no more')
        onDrift(path)
      }
      raised = found.map(({ path }) => path)
      rates = NO_RATES
    }
    return { note, raised: () => raised }
  }
  const places = watch(PLACE_PATHS)
  const searches = watch(SEARCH_PATHS)
  return {
    collected: places.note,
    listed: searches.note,
    drifted: () => [...places.raised(), ...searches.raised()],
  }
}

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
