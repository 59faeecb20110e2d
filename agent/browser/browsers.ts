import { availableParallelism } from 'node:os'
import { canFail, type Logger } from '@placefleet/shared/log'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { launchChromium, type RunningChromium } from './launch.ts'
import { createSlots } from './page-slots.ts'
import { type BrowserSession, openSession } from './session.ts'
import type { ChromiumProgram } from './unpack-chromium.ts'

/** The one Chromium of an agent, launched when it is first needed and replaced when it is worn or dead. */
export type Browsers = {
  /** A session of its own: cookies, cache and way out are shared with no other. Throws BrowserFailed. */
  open(grant: EgressGrant, language: string, signal: AbortSignal): Promise<BrowserSession>
  /** The version of the Chromium that was launched last, if one was. */
  version(): string | undefined
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

type PooledChromium = {
  readonly running: RunningChromium
  sessions: number
  pages: number
  idle: NodeJS.Timeout | undefined
}

/** Launches nothing yet. */
export function createBrowsers(settings: Settings): Browsers {
  const { log, pagesBeforeRecycling = 100, pagesAtOnce = 2 * availableParallelism(), idleMs = 120_000 } = settings
  const slots = createSlots(pagesAtOnce)
  const all = new Set<PooledChromium>()
  let current: Promise<PooledChromium> | undefined
  let version: string | undefined

  const drop = async (pooled: PooledChromium) => {
    clearTimeout(pooled.idle)
    if (all.delete(pooled)) await pooled.running.end()
  }
  const usable = (pooled: PooledChromium) =>
    pooled.running.browser.isConnected() && pooled.pages < pagesBeforeRecycling && all.has(pooled)
  const launch = async (): Promise<PooledChromium> => {
    const running = await launchChromium(settings.find, settings.proxyServer, log).catch((error: unknown) => {
      log.error({ err: error }, 'Chromium cannot be launched')
      throw error
    })
    version = running.browser.version()
    const pooled: PooledChromium = { running, sessions: 0, pages: 0, idle: undefined }
    all.add(pooled)
    return pooled
  }
  const take = async (): Promise<PooledChromium> => {
    const before = current
    const pooled = await before?.catch(() => undefined)
    if (pooled && usable(pooled)) return pooled
    if (current !== before) return take() // another task has launched one meanwhile
    const launching = launch()
    current = launching
    return launching
  }
  const leave = (pooled: PooledChromium) => {
    pooled.sessions--
    if (pooled.sessions > 0) return
    if (!usable(pooled)) void canFail(log, 'ending a worn Chromium', drop(pooled))
    else pooled.idle = setTimeout(() => void canFail(log, 'ending an idle Chromium', drop(pooled)), idleMs)
  }

  return {
    async open(grant, language, signal) {
      const pooled = await take()
      clearTimeout(pooled.idle)
      pooled.sessions++
      const hooks = { onPage: () => void pooled.pages++, onClosed: () => leave(pooled), kill: () => drop(pooled) }
      try {
        return await openSession(pooled.running.browser, { grant, language, signal, log, slots, ...hooks })
      } catch (error) {
        leave(pooled)
        throw error
      }
    },
    version: () => version,
    async close() {
      await current?.catch(() => undefined)
      await Promise.all([...all].map(drop))
    },
  }
}
