import { canFail, type Logger } from '@placefleet/shared/log'
import type { Browser, BrowserContext, Cookie, Page } from 'playwright'
import type { EgressGrant } from '../egress/egress-proxy.ts'
import { createIdlePages, type IdlePages } from './idle-pages.ts'
import { openPage } from './page.ts'
import type { Slots } from './page-slots.ts'
import { BrowserFailed, createTimeLimit, type TimeLimit, within } from './within.ts'

/** The cookies and local storage of a session. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** Work on a page, within a time limit. */
export type UsePage<T> = (page: Page, limit: TimeLimit) => Promise<T>

/** A browser context with its own cookies, cache and exit. */
export type BrowserSession = {
  /**
   * Runs `use` on a page. After success the page is kept for the next use and still shows its last URL. On a timeout or
   * an abort it closes the page; if that hangs, the context; if that hangs, Chromium. `timeoutMs` begins when the page
   * has a slot, and stands still while `use` pauses the limit. Throws BrowserFailed, the abort reason, or the error of
   * `use`.
   */
  withPage<T>(use: UsePage<T>, options: { timeoutMs: number; signal: AbortSignal }): Promise<T>
  cookies(): Promise<Cookie[]>
  addCookies(cookies: readonly Cookie[]): Promise<void>
  /** Returns the cookies and local storage for a later session. */
  storage(): Promise<StorageState>
  /** May be called twice. */
  close(): Promise<void>
}

export type SessionOptions = {
  /** The cookies and local storage of an earlier session. */
  readonly storage?: StorageState | undefined
  /** Added to the user agent, for websites that should see who visits them. */
  readonly name?: string | undefined
}

type Options = SessionOptions & {
  readonly grant: EgressGrant
  readonly language: string
  readonly signal: AbortSignal
  readonly log: Logger
  readonly slots: Slots
  readonly onPage: () => void
  readonly onClosed: () => void
  /** Kills the whole Chromium. */
  readonly kill: () => Promise<void>
}

/** Small, because drawing costs most of the CPU, but large enough for the list beside the map. */
const VIEWPORT = { width: 1024, height: 576 }
const OPEN_MS = 10_000
const CLOSE_MS = 2_000

/** Opens a context behind the grant. Throws BrowserFailed or the abort reason. */
export async function openSession(browser: Browser, options: Options): Promise<BrowserSession> {
  const { grant, storage, signal, log, kill, onClosed, slots } = options
  const opening = browser.newContext({
    proxy: { server: grant.server }, // each page logs in on its own
    viewport: VIEWPORT,
    ...(storage ? { storageState: storage } : {}),
    serviceWorkers: 'block',
    acceptDownloads: false,
  })
  const context = await within(opening, OPEN_MS, signal).catch((error) => {
    void opening.then(
      (late) => canFail(log, 'closing a late context', late.close()),
      () => undefined,
    )
    return rethrow(error)
  })
  const idle = createIdlePages(log)
  let closing: Promise<void> | undefined
  const close = () => {
    const orKill = () => canFail(log, 'killing Chromium', kill())
    closing ??= closeInTime('a context', context, { log, otherwise: orKill }).finally(onClosed)
    return closing
  }
  const inTime = <T>(work: Promise<T>) => within(work, OPEN_MS).catch(rethrow)
  return {
    withPage: (use, limits) =>
      slots.run(() => usePage(context, use, { ...options, ...limits, idle, close }), limits.signal),
    cookies: () => inTime(context.cookies()),
    addCookies: (cookies) => inTime(context.addCookies(cookies)),
    storage: () => inTime(context.storageState()),
    close,
  }
}

/** Closes a session that may still be opening. Ignores its failure to open, which its users have received. */
export async function closeOpened(session: Promise<BrowserSession> | undefined): Promise<void> {
  const opened = await session?.catch(() => undefined)
  await opened?.close()
}

type PageUse = Options & {
  readonly timeoutMs: number
  readonly idle: IdlePages
  readonly close: () => Promise<void>
}

async function usePage<T>(context: BrowserContext, use: UsePage<T>, options: PageUse): Promise<T> {
  const { timeoutMs, signal, idle, onPage, log, close } = options
  let opened: Page | undefined
  let isOver = false
  const limit = createTimeLimit(timeoutMs)
  const closePage = async (page: Page | undefined) => {
    if (page && !page.isClosed()) await closeInTime('a page', page, { log, otherwise: close })
  }
  const work = async () => {
    let page = idle.take()
    if (!page) {
      onPage()
      page = await openPage(context, { ...options, version: context.browser()?.version() ?? '' })
    }
    if (isOver) {
      await closePage(page) // it opened too late, so nobody else knows it
      throw new BrowserFailed('timeout')
    }
    opened = page
    return use(page, limit)
  }
  try {
    const result = await limit.race(work(), signal)
    if (opened && (await idle.keep(opened))) opened = undefined
    return result
  } catch (error) {
    signal.throwIfAborted()
    if (opened === undefined && error instanceof BrowserFailed) throw error // a page that is late did not crash
    const isGone = opened === undefined || opened.isClosed() || context.browser()?.isConnected() !== true
    throw isGone ? new BrowserFailed('crashed', error) : error
  } finally {
    isOver = true
    await closePage(opened)
  }
}

async function closeInTime(
  what: string,
  closable: { close(): Promise<void> },
  { log, otherwise }: { log: Logger; otherwise: () => Promise<unknown> },
): Promise<void> {
  try {
    await within(closable.close(), CLOSE_MS)
  } catch (error) {
    log.warn({ err: error }, `${what} does not close; closing what it belongs to`)
    await otherwise()
  }
}

function rethrow(error: unknown): never {
  throw error instanceof BrowserFailed ? error : new BrowserFailed('crashed', error)
}
