import { openNetwork } from '@placefleet/agent/collect/network'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import type { BrowserContext } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { ownChromium } from '../../harness/chromiums.ts'
import { until } from '../../harness/until.ts'
import { volume } from '../../harness/volume.ts'
import { collecting, taskOf } from './collecting.ts'

const AT_ONCE = 8

/** Opens a network that notes each context of Chromium in which a page was used. */
function noting(contexts: Set<BrowserContext>): typeof openNetwork {
  return async (guard, settings) => {
    const { egress, browsers } = await openNetwork(guard, settings, ownChromium())
    const open: typeof browsers.open = async (...given) => {
      const session = await browsers.open(...given)
      const withPage: typeof session.withPage = (use, limits) =>
        session.withPage((page, limit) => {
          contexts.add(page.context())
          return use(page, limit)
        }, limits)
      return { ...session, withPage }
    }
    return { egress, browsers: { ...browsers, open } }
  }
}

const TIMERS_AND_SOCKETS = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap', 'PipeWrap']

/** Counts what keeps this process busy, by kind. */
function busy(): number[] {
  const kinds = process.getActiveResourcesInfo()
  return TIMERS_AND_SOCKETS.map((wanted) => kinds.filter((kind) => kind === wanted).length)
}

test.each([
  ['auto', 160],
  ['browser', 40],
] as const)(
  'cancelled tasks leave no page, context, process, socket or timer behind (%s, %i tasks)',
  async (rung, tasks) => {
    const before = busy()
    let requests = 0
    /** What is called with a later request, by its number. */
    const waiting: { readonly at: number; readonly abort: () => void }[] = []
    const site = await startMapSite({
      seed: 7,
      places: 3_000, // so that a search takes more requests than the last one to be cancelled
      options: { gzip: false, consent: true },
      hold: async () => {
        requests++
        for (const { at, abort } of waiting) if (at <= requests) abort()
      },
    })
    onTestFinished(() => site.close())
    const contexts = new Set<BrowserContext>()
    const { collector, run } = collecting({ mapsBaseUrl: site.url, rung, open: noting(contexts) })
    const parameters = { max_images: 60, max_reviews: 60 }
    const references = site.city.keysOf('bakery').map((place_key) => ({ place_key }))
    const cancelled = async (nth: number) => {
      const stop = new AbortController()
      const abort = () => stop.abort(new Error('cancelled'))
      if (nth % 5 === 0) setImmediate(abort)
      else waiting.push({ at: requests + 1 + (nth % 11), abort })
      const searches = rung === 'auto' && nth % 2 === 0
      const work = searches
        ? ({ kind: 'discover', keyword: 'bakery' } as const)
        : ({ kind: 'collect', references } as const)
      await expect(run(taskOf(work, { task_id: `task-${nth}`, parameters }), stop.signal)).rejects.toThrow('cancelled')
    }
    for (let nth = 0; nth < tasks * volume(1, 2); nth += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => cancelled(nth + index)))
    await until('all pages are closed', () => [...contexts].every((context) => context.pages().length === 0))
    await collector.close()
    await site.close()
    await until('all timers and sockets are gone', () => busy().every((count, kind) => count <= (before[kind] ?? 0)))
  },
)
