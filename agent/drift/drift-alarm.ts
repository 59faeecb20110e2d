import type { Logger } from '@placefleet/shared/log'
import type { Place } from '@placefleet/shared/place'
import { drifted, type FillRates, NO_RATES, WINDOW, withPlace } from './fill-rates.ts'
import { PLACE_PATHS, SEARCH_PATHS, type WatchedPath } from './watched-paths.ts'

/** Watches what the map site's payloads give, over all tasks of an agent. */
export type DriftAlarm = {
  /** Notes a place as its own payload gave it; an empty one when nothing could be read of it. */
  collected(place: Partial<Place>): void
  /** Notes a place as a search payload gave it. */
  listed(place: Partial<Place>): void
}

/**
 * An alarm that logs each path that gives less than it must, once every hundred places, and tells `onDrift`. Answers that
 * the site trims raise it too: what is missing then is missing for every user as well.
 */
export function createDriftAlarm(log: Logger, onDrift: (path: string) => void): DriftAlarm {
  const watch = (watched: readonly WatchedPath[]) => {
    let rates: FillRates = NO_RATES
    return (place: Partial<Place>) => {
      rates = withPlace(rates, place, watched)
      for (const { field, path, least } of drifted(rates, watched)) {
        const filled = rates.filled[field]
        log.error({ path, field, filled, of: rates.places, least }, 'a known path of the map site resolves no more')
        onDrift(path)
      }
      if (rates.places >= WINDOW) rates = NO_RATES
    }
  }
  return { collected: watch(PLACE_PATHS), listed: watch(SEARCH_PATHS) }
}
