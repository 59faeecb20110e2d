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
  const opening = newContext(browser, options)
  const context = await within(opening, OPEN_MS, options.signal).catch((error) => {
    void opening.then(
      (late) => canFail(options.log, 'closing a late context', late.close()),
      () => undefined,
    )
    return rethrow(error)
  })
  let closing: Promise<void> | undefined
  const idle = createIdlePages(options.log)
  const close = () => (closing ??= endContext(context, options).finally(options.onClosed))
  return {
    withPage: (use, limits) =>
      options.slots.run(() => usePage(context, use, { ...options, ...limits, idle, close }), limits.signal),
    cookies: () => within(context.cookies(), OPEN_MS).catch(rethrow),
    addCookies: (cookies) => within(context.addCookies(cookies), OPEN_MS).catch(rethrow),
    storage: () => within(context.storageState(), OPEN_MS).catch(rethrow),
    close,
  }
}

/** Closes a session that may still be opening. Ignores its failure to open, which its users have received. */
export async function closeOpened(session: Promise<BrowserSession> | undefined): Promise<void> {
  const opened = await session?.catch(() => undefined)
  await opened?.close()
}

function newContext(browser: Browser, { grant, storage }: Options): Promise<BrowserContext> {
  return browser.newContext({
    proxy: { server: grant.server }, // each page logs in on its own
    viewport: VIEWPORT,
    ...(storage ? { storageState: storage } : {}),
    serviceWorkers: 'block',
    acceptDownloads: false,
  })
}

type PageUse = Options & {
  readonly timeoutMs: number
  readonly idle: IdlePages
  readonly close: () => Promise<void>
}

async function usePage<T>(context: BrowserContext, use: UsePage<T>, options: PageUse): Promise<T> {
  const { timeoutMs, signal, idle } = options
  let opened: Page | undefined
  let isOver = false
  const limit = createTimeLimit(timeoutMs)
  const work = async () => {
    const version = context.browser()?.version() ?? ''
    const page = idle.take() ?? (await openNew(context, { ...options, version }))
    if (isOver) {
      await closePage(page, options) // it opened too late, so nobody else knows it
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
    throw isGone(context, opened) ? new BrowserFailed('crashed', error) : error
  } finally {
    isOver = true
    await closePage(opened, options)
  }
}

function openNew(
  context: BrowserContext,
  { grant, language, name, log, version, onPage }: PageUse & { readonly version: string },
): Promise<Page> {
  onPage()
  return openPage(context, { grant, language, version, name, log })
}

function isGone(context: BrowserContext, page: Page | undefined): boolean {
  return page === undefined || page.isClosed() || context.browser()?.isConnected() !== true
}

async function closePage(page: Page | undefined, { log, close }: PageUse): Promise<void> {
  try {
    if (page && !page.isClosed()) await within(page.close(), CLOSE_MS)
  } catch (error) {
    log.warn({ err: error }, 'a page does not close; closing its context')
    await close()
  }
}

async function endContext(context: BrowserContext, { log, kill }: Options): Promise<void> {
  try {
    await within(context.close(), CLOSE_MS)
  } catch (error) {
    log.warn({ err: error }, 'a context does not close; killing Chromium')
    await canFail(log, 'killing Chromium', kill())
  }
}

function rethrow(error: unknown): never {
  throw error instanceof BrowserFailed ? error : new BrowserFailed('crashed', error)
}
