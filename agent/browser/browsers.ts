import { availableParallelism } from 'node:os'
import { canFail } from '@placefleet/shared/log'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { type ChromiumProblem, chromiumFailureIn } from './chromium-problem.ts'
import { type LaunchSettings, launchChromium, type RunningChromium } from './launch.ts'
import { createSlots } from './page-slots.ts'
import { type BrowserSession, openSession, type SessionOptions } from './session.ts'

/** The Chromium of an agent. It is launched when first needed, and replaced after many pages or a crash. */
export type Browsers = {
  /** Opens a session. Throws BrowserFailed. */
  open(grant: EgressGrant, language: string, signal: AbortSignal, options?: SessionOptions): Promise<BrowserSession>
  /** Returns the version of the last launched Chromium, else of the installed one. */
  version(): string
  /** Ends every Chromium. */
  close(): Promise<void>
}

type Settings = LaunchSettings & {
  /** After this many pages a Chromium takes no new session, because its memory grows with each page. */
  readonly pagesBeforeRecycling?: number
  /** Pages in use at once. More than two per core are slower. */
  readonly pagesAtOnce?: number
  /** Milliseconds without a session after which a Chromium is closed. */
  readonly idleMs?: number
  /** Called after each start of Chromium, with its problem if it failed. */
  readonly onStart?: (problem: ChromiumProblem | undefined) => void
}

type PooledChromium = {
  readonly running: RunningChromium
  sessions: number
  pages: number
  idle: NodeJS.Timeout | undefined
}

/** Creates the browsers without launching one. */
export function createBrowsers(settings: Settings): Browsers {
  const { log, pagesAtOnce = 2 * availableParallelism() } = settings
  const slots = createSlots(pagesAtOnce)
  const pool = createPool(settings)
  return {
    async open(grant, language, signal, options) {
      const pooled = await pool.take()
      const hooks = {
        onPage: () => void pooled.pages++,
        onClosed: () => pool.leave(pooled),
        kill: () => pool.drop(pooled),
      }
      try {
        return await openSession(pooled.running.browser, { grant, language, ...options, signal, log, slots, ...hooks })
      } catch (error) {
        pool.leave(pooled)
        throw error
      }
    },
    version: pool.version,
    close: pool.close,
  }
}

/** Creates the running Chromiums: one that accepts new sessions, and old ones with open sessions. */
function createPool(settings: Settings) {
  const { log, pagesBeforeRecycling = 100, idleMs = 120_000 } = settings
  const all = new Set<PooledChromium>()
  let current: Promise<PooledChromium> | undefined
  let version = settings.installedVersion

  const drop = async (pooled: PooledChromium) => {
    clearTimeout(pooled.idle)
    if (all.delete(pooled)) await pooled.running.end()
  }
  const isUsable = (pooled: PooledChromium) =>
    pooled.running.browser.isConnected() && pooled.pages < pagesBeforeRecycling && all.has(pooled)
  const launch = async (): Promise<PooledChromium> => {
    const running = await launchChromium(settings).catch((error: unknown) => {
      log.error({ err: error }, 'Chromium cannot be launched')
      const failure = chromiumFailureIn(error)
      if (failure) settings.onStart?.(failure.problem)
      throw error
    })
    settings.onStart?.(undefined)
    version = running.browser.version()
    const pooled = { running, sessions: 0, pages: 0, idle: undefined }
    all.add(pooled)
    return pooled
  }
  const usable = async (): Promise<PooledChromium> => {
    const before = current
    const pooled = await before?.catch(() => undefined)
    if (pooled && isUsable(pooled)) return pooled
    if (current !== before) return usable() // another task has launched one in the meantime
    const launching = launch()
    current = launching
    return launching
  }
  return {
    version: () => version,
    drop,
    /** Returns a Chromium, and counts one more session on it. */
    async take(): Promise<PooledChromium> {
      const pooled = await usable()
      clearTimeout(pooled.idle)
      pooled.sessions++
      return pooled
    },
    leave(pooled: PooledChromium) {
      pooled.sessions--
      if (pooled.sessions > 0) return
      if (!isUsable(pooled)) void canFail(log, 'ending an old Chromium', drop(pooled))
      else pooled.idle = setTimeout(() => void canFail(log, 'ending an idle Chromium', drop(pooled)), idleMs)
    },
    async close() {
      await current?.catch(() => undefined)
      await Promise.all([...all].map(drop))
    },
  }
}
