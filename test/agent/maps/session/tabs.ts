import type { UsePage } from '@placefleet/agent/browser/session'
import { createExit, type Exit } from '@placefleet/agent/maps/exits/exit'
import { verdictIn } from '@placefleet/agent/maps/session/fault'
import { type MapTab, openTab } from '@placefleet/agent/maps/session/map-tab'

const MINUTES = 60_000

/** Returns an exit without a pace. */
export const anExit = (restMs = MINUTES) =>
  createExit(undefined, { limits: { pace: undefined, inFlight: 1, restMs }, verdictIn })

/** Returns work on a page that gets it as a tab of the map site. */
export const onTab =
  <T>(base: URL, use: (tab: MapTab) => Promise<T>, exit: Exit = anExit()): UsePage<T> =>
  (page, limit) =>
    use(openTab(page, { exit, base, limit, signal: new AbortController().signal, onRequest: () => undefined }))
