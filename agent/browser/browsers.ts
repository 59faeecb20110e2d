import { availableParallelism } from 'node:os'
import { canFail } from '@placefleet/shared/log'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { type LaunchSettings, launchChromium, type RunningChromium } from './launch.ts'
import { createSlots } from './page-slots.ts'
import { type BrowserSession, openSession, type StorageState } from './session.ts'

/** The one Chromium of an agent. It is launched when first needed, and replaced after many pages or a crash. */
export type Browsers = {
  /** Opens a session, with what an earlier one stored if given. Throws BrowserFailed. */
  open(
    grant: EgressGrant,
    language: string,
    signal: AbortSignal,
    storage?: StorageState | undefined,
  ): Promise<BrowserSession>
  /** The version of the Chromium that was launched last, if one was. */
  version(): string | undefined
  /** Ends every Chromium. */
  close(): Promise<void>
}

type Settings = LaunchSettings & {
  /** After so many pages a Chromium takes no new session, because its memory grows with each page. */
  readonly pagesBeforeRecycling?: number
  /** Pages open at once. More than two a core are slower. */
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
    const running = await launchChromium(settings).catch((error: unknown) => {
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
    if (current !== before) return take() // another task has launched one in the meantime
    const launching = launch()
    current = launching
    return launching
  }
  const leave = (pooled: PooledChromium) => {
    pooled.sessions--
    if (pooled.sessions > 0) return
    if (!usable(pooled)) void canFail(log, 'ending an old Chromium', drop(pooled))
    else pooled.idle = setTimeout(() => void canFail(log, 'ending an idle Chromium', drop(pooled)), idleMs)
  }

  return {
    async open(grant, language, signal, storage) {
      const pooled = await take()
      clearTimeout(pooled.idle)
      pooled.sessions++
      const hooks = { onPage: () => void pooled.pages++, onClosed: () => leave(pooled), kill: () => drop(pooled) }
      try {
        return await openSession(pooled.running.browser, { grant, language, storage, signal, log, slots, ...hooks })
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
