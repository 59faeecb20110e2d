import type { UsePage } from '@placefleet/agent/browser/session'
import { createExit, type Exit } from '@placefleet/agent/maps/requests/exit'
import { type MapTab, openTab } from '@placefleet/agent/maps/requests/map-tab'

const MINUTES = 60_000

/** Returns an exit without a pace. */
export const anExit = (restMs = MINUTES) => createExit(undefined, { limits: { pace: undefined, inFlight: 1, restMs } })

/** Returns work on a page that gets it as a tab of the map site. */
export const onTab =
  <T>(base: URL, use: (tab: MapTab) => Promise<T>, exit: Exit = anExit()): UsePage<T> =>
  async (page, limit) => {
    const tab = openTab(
      page,
      { exit, base, locale: { language: 'en' }, countRequest: () => undefined },
      limit,
      new AbortController().signal,
    )
    try {
      return await use(tab)
    } finally {
      tab.leave()
    }
  }
