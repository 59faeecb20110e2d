import { availableParallelism } from 'node:os'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { Lease } from '../egress/egress-proxy.ts'
import type { ChromiumProgram } from './find-chromium.ts'
import { launchChromium, type RunningChromium } from './launch.ts'
import { createSlots } from './page-slots.ts'
import { type BrowserSession, openSession } from './session.ts'

/** The one Chromium of an agent, launched when it is first needed and replaced when it is worn or dead. */
export type Browsers = {
  /** A session of its own: cookies, cache and way out are shared with no other. Throws BrowserFailed. */
  open(lease: Lease, language: string, signal: AbortSignal): Promise<BrowserSession>
  /** Ends every Chromium. */
  close(): Promise<void>
}

type Settings = {
  readonly find: () => Promise<ChromiumProgram>
  readonly proxyServer: string
  readonly log: Logger
  /** Pages after which a Chromium takes no new session, because its memory grows with them. */
  readonly pagesBeforeRecycling?: number
  /** Pages open at once; more than two a core are only slower. */
  readonly pagesAtOnce?: number
  /** Milliseconds without a session after which it is closed. */
  readonly idleMs?: number
}

type Kept = { readonly running: RunningChromium; sessions: number; pages: number; idle: NodeJS.Timeout | undefined }

/** Launches nothing yet. */
export function createBrowsers(settings: Settings): Browsers {
  const { log, pagesBeforeRecycling = 100, pagesAtOnce = 2 * availableParallelism(), idleMs = 120_000 } = settings
  const slots = createSlots(pagesAtOnce)
  const all = new Set<Kept>()
  let current: Promise<Kept> | undefined

  const drop = async (kept: Kept) => {
    clearTimeout(kept.idle)
    if (all.delete(kept)) await kept.running.end()
  }
  const usable = (kept: Kept) =>
    kept.running.browser.isConnected() && kept.pages < pagesBeforeRecycling && all.has(kept)
  const launch = async (): Promise<Kept> => {
    const running = await launchChromium(settings.find, settings.proxyServer, log).catch((error: unknown) => {
      log.error({ err: error }, 'Chromium cannot be launched')
      throw error
    })
    const kept: Kept = { running, sessions: 0, pages: 0, idle: undefined }
    all.add(kept)
    return kept
  }
  const take = async (): Promise<Kept> => {
    const before = current
    const kept = await before?.catch(() => undefined)
    if (kept && usable(kept)) return kept
    if (current !== before) return take() // another task has launched one meanwhile
    const launching = launch()
    current = launching
    return launching
  }
  const leave = (kept: Kept) => {
    kept.sessions--
    if (kept.sessions > 0) return
    if (!usable(kept)) void canFail(log, 'ending a worn Chromium', drop(kept))
    else kept.idle = setTimeout(() => void canFail(log, 'ending an idle Chromium', drop(kept)), idleMs)
  }

  return {
    async open(lease, language, signal) {
      const kept = await take()
      clearTimeout(kept.idle)
      kept.sessions++
      const hooks = { onPage: () => void kept.pages++, onClosed: () => leave(kept), kill: () => drop(kept) }
      try {
        return await openSession(kept.running.browser, { lease, language, signal, log, slots, ...hooks })
      } catch (error) {
        leave(kept)
        throw error
      }
    },
    async close() {
      await current?.catch(() => undefined)
      await Promise.all([...all].map(drop))
    },
  }
}
