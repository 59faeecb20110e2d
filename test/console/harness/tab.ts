import {
  type BoundFunctions,
  type ByRoleMatcher,
  configure,
  fireEvent,
  type queries,
  waitFor,
  within,
} from '@testing-library/dom'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { EventSource } from 'eventsource'
import {
  Browser,
  type BrowserPage,
  type BrowserWindow,
  type HTMLElement,
  type IOptionalBrowserSettings,
  VirtualConsoleLogLevelEnum,
} from 'happy-dom'
import { expect, onTestFinished } from 'vitest'
import { consoleScript } from './console-script.ts'
import type { Product } from './product.ts'
import { type Cookie, newUsers } from './user.ts'

const SHOWN_CHARACTERS = 3_000

configure({
  asyncUtilTimeout: 60_000, // machines that run these tests are busy
  getElementError: (message, container) => new Error(`${message}\nThe page shows: ${shownIn(container)}`),
})

const shownIn = (container: object): string =>
  String(Reflect.get(container, 'innerHTML'))
    .replace(/<style.*?<\/style>|^.*?Skip to content/gs, '')
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|')
    .slice(0, SHOWN_CHARACTERS)

export type TabOptions = {
  /** The cookie of a session. Without one, nobody is signed in. */
  session?: Cookie
  /** What the test lets the page log. */
  fails?: RegExp
  /** The languages of the browser. */
  languages?: string[]
  /** Changes the window before the console runs in it. */
  prepare?(window: BrowserWindow): void
}

/** What a test answers in place of the server, or that nothing answers. */
export type Answer = { status?: number; headers?: Record<string, string>; json: unknown } | 'no connection'

/** Answers a call in place of the server. The server answers what this leaves. */
export type Answers = (call: { method: string }) => Answer | undefined | Promise<Answer | undefined>

/**
 * A tab without a browser: the built console in a document of happy-dom, with the cookies and the network of a browser,
 * but neither layout nor drawing. The map says in it that it cannot be drawn.
 */
export type Tab = {
  goto(path: string): Promise<void>
  reload(): Promise<void>
  /** Follows a sign-in link that somebody pastes into the address bar. */
  paste(address: string): void
  setCookie(cookie: Cookie): void
  /** Shows another page without a new load, as a link of the console does. */
  follow(path: string): void
  readonly path: string
  readonly window: BrowserWindow
  readonly user: UserEvent
  /** What Testing Library watches. */
  readonly container: HTMLElement
  /** The queries of Testing Library, for what the tab shows. */
  readonly screen: BoundFunctions<typeof queries>
  /** Waits until the tab shows a text, at least as a part of another. */
  see(text: string | RegExp): Promise<void>
  /** Waits until the tab does not show a text. */
  gone(text: string | RegExp): Promise<void>
  seeAlert(text: string | RegExp): Promise<void>
  click(role: ByRoleMatcher, name: string | RegExp): Promise<void>
  press(button: string | RegExp): Promise<void>
  /** Chooses an action from the menu of a row. */
  choose(row: string, action: string): Promise<void>
  valueOf(label: string | RegExp): string | undefined
  pressInDialog(button: string): Promise<void>
  /** Enters a text in place of what a field has. `{Enter}` and other keys are pressed. */
  fill(label: string | RegExp, text: string): Promise<void>
  select(label: string, value: string): Promise<void>
  /** Clicks a checkbox. */
  tick(label: string): Promise<void>
  /** Chooses a file of comma-separated values. */
  upload(name: string, text: string): Promise<void>
  /** Answers calls in place of the server, until the returned function is called. The path has the query. */
  answer(path: RegExp, answers: Answers): () => void
}

/** Opens a tab. After the test it is closed, and fails if it logged an error or asked another host for something. */
type OpenTab = (options?: TabOptions) => Promise<Tab>

/** Returns how to open tabs in front of a product, with a user or without. */
export async function startTabs({ url, db }: Pick<Product, 'url' | 'db'>) {
  const script = await consoleScript()
  const openTab: OpenTab = async (options = {}) => openTabWith(url, script, options)
  const openFor = (session: Cookie, options?: TabOptions) => openTab({ session, ...options })
  return { openTab, newUser: newUsers({ url, db, openTab: openFor }) }
}

/** Lets the timers of a tab run twenty times as fast, for a test of what the console does after seconds. */
export function hurry(window: BrowserWindow): void {
  const { setTimeout, setInterval, AbortSignal } = window
  const { timeout } = AbortSignal
  Object.assign(window, {
    setTimeout: (run: () => void, ms = 0, ...values: unknown[]) => setTimeout(run, ms / 20, ...values),
    setInterval: (run: () => void, ms = 0, ...values: unknown[]) => setInterval(run, ms / 20, ...values),
  })
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms * 20) // the server is not faster
}

function openTabWith(url: string, script: string, options: TabOptions): Tab {
  const { session } = options
  const cookies = new Map(session && [[session.name, session.value]])
  const network: Network = { url, script, cookies, rules: [], streams: new Set(), foreign: [] }
  const browser = new Browser({ settings: settingsOf(network, options) })
  const page = browser.newPage()
  onTestFinished(async () => {
    const logged = page.virtualConsolePrinter.readAsString(VirtualConsoleLogLevelEnum.error).split('\n')
    for (const stream of network.streams) stream.close()
    await browser.close()
    expect([...network.foreign, ...logged.filter((line) => /^\S/.test(line) && !options.fails?.test(line))]).toEqual([])
  })
  return tabOf(page, network)
}

type Network = {
  url: string
  script: string
  cookies: Map<string, string>
  rules: { path: RegExp; answers: Answers }[]
  streams: Set<EventSource>
  /** Requests to other hosts. */
  foreign: string[]
}

/** Event streams, which happy-dom lacks. */
const streamsOf = (network: Network, window: BrowserWindow) =>
  class extends EventSource {
    constructor(path: string) {
      super(new URL(path, network.url), {
        async fetch(address, { headers, signal }) {
          const request = { url: String(address), method: 'GET', headers: Object.entries(headers), signal }
          const { body, ...answer } = await answerOf(network, request, window)
          return new Response(body, { status: answer.status, headers: [...answer.headers] })
        },
      })
      network.streams.add(this)
    }
  }

function settingsOf(network: Network, { languages = ['en-GB'], prepare }: TabOptions): IOptionalBrowserSettings {
  return {
    enableJavaScriptEvaluation: true,
    suppressInsecureJavaScriptEnvironmentWarning: true,
    disableJavaScriptFileLoading: true, // the page has one script, see consoleScript
    handleDisabledFileLoadingAsSuccess: true, // also of styles
    disableComputedStyleRendering: true,
    navigation: {
      beforeContentCallback(window) {
        const locks = { request: (_name: string, _options: object, task: () => unknown) => task() } // of one tab
        Object.defineProperties(window.navigator, {
          languages: { value: languages },
          language: { value: languages[0] },
          locks: { value: locks },
        })
        Object.assign(window, { EventSource: streamsOf(network, window) })
        prepare?.(window)
      },
    },
    fetch: {
      interceptor: {
        async beforeAsyncRequest({ request, window }) {
          const { status, headers, body } = await answerOf(network, request, window)
          return new window.Response(body, { status, headers: [...headers] })
        },
      },
    },
  }
}

type Call = {
  url: string
  method: string
  headers: Iterable<[string, string]>
  signal: { addEventListener(type: 'abort', listener: () => void): void }
  arrayBuffer?(): Promise<ArrayBuffer>
}

type Answered = { status: number; headers: Iterable<[string, string]>; body: string | ReadableStream | null }

/** Answers a request as a test says, or asks the server, as a browser does: with cookies, and with the origin. */
async function answerOf(network: Network, request: Call, window: BrowserWindow): Promise<Answered> {
  const { url, rules, foreign } = network
  const { origin, pathname, search } = new URL(request.url)
  if (origin !== url) foreign.push(`foreign request: ${request.url}`)
  for (const { path, answers } of rules) {
    const answer = path.test(pathname + search) ? await answers(request) : undefined
    if (answer === 'no connection') throw new window.TypeError('Failed to fetch')
    if (!answer) continue
    const headers = { 'content-type': 'application/json', ...answer.headers }
    return { status: answer.status ?? 200, headers: Object.entries(headers), body: JSON.stringify(answer.json) }
  }
  return ask(network, request)
}

async function ask({ url, cookies, script }: Network, request: Call): Promise<Answered> {
  const aborted = new AbortController()
  request.signal.addEventListener('abort', () => aborted.abort())
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(request.url, {
    method: request.method,
    headers: [...request.headers, ['cookie', cookie], ['origin', url], ['sec-fetch-site', 'same-origin']],
    body: ['GET', 'HEAD'].includes(request.method) ? null : ((await request.arrayBuffer?.()) ?? null),
    signal: aborted.signal,
  })
  for (const made of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(made) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  const { status, headers, body } = answer
  if (!headers.get('content-type')?.startsWith('text/html')) return { status, headers, body }
  const html = (await answer.text()).replace(
    '</body>',
    () => `<script>document.currentScript.remove();${script}</script></body>`,
  )
  return { status, headers, body: html }
}

function tabOf(page: BrowserPage, { url, cookies, rules }: Network): Tab {
  /** Clicks as soon as the control is enabled. */
  const press = async (control: object) => {
    await waitFor(() => expect(control).not.toHaveProperty('disabled', true), tab)
    await tab.user.click(control)
  }
  const tab: Tab = {
    async goto(path) {
      await page.goto(url + path)
    },
    async reload() {
      await page.reload()
    },
    paste: (address) => page.mainFrame.window.location.assign(new URL(address).hash),
    setCookie: ({ name, value }) => void cookies.set(name, value),
    follow: (path) => page.mainFrame.window.history.pushState(null, '', path),
    get path() {
      const { pathname, search } = page.mainFrame.window.location
      return pathname + search
    },
    get window() {
      return page.mainFrame.window
    },
    get user() {
      return userEvent.setup({ document: page.mainFrame.document, delay: null })
    },
    get container() {
      return page.mainFrame.document.body
    },
    get screen() {
      return within(tab.container)
    },
    async see(text) {
      await tab.screen.findAllByText(text, { exact: false })
    },
    gone: (text) =>
      waitFor(() => expect(tab.screen.queryAllByText(text, { exact: false })).toHaveLength(0), {
        container: page.mainFrame.document.body,
      }),
    async seeAlert(text) {
      const isIn = (alert: HTMLElement) => within(alert).queryAllByText(text).length > 0
      await waitFor(() => expect(tab.screen.queryAllByRole('alert').some(isIn)).toBe(true), tab)
    },
    async click(role, name) {
      const hidden = role === 'menuitem' // without layout, a menu is hidden because it is not beside its button
      await press(await tab.screen.findByRole(role, { name, hidden }))
    },
    press: (name) => tab.click('button', name),
    async choose(row, action) {
      await tab.press(`Actions for ${row}`)
      await tab.click('menuitem', action)
    },
    valueOf: (label) => tab.screen.getByLabelText(labelled(label)).value,
    async pressInDialog(name) {
      const dialog = within(await tab.screen.findByRole('dialog'))
      await press(await dialog.findByRole('button', { name }))
    },
    async fill(label, text) {
      const field = await tab.screen.findByLabelText(labelled(label))
      if (/date|time/.test(field.type)) return void fireEvent.change(field, { target: { value: text } })
      await tab.user.clear(field)
      if (text) await tab.user.type(field, text)
    },
    select: async (label, value) => tab.user.selectOptions(await tab.screen.findByLabelText(labelled(label)), value),
    tick: async (label) => tab.user.click(await tab.screen.findByLabelText(label)),
    async upload(name, text) {
      const input = await waitFor(
        () => tab.window.document.querySelector('input[type=file]') ?? expect.unreachable(),
        tab,
      )
      const value = [new tab.window.File([text], name, { type: 'text/csv' })]
      Object.defineProperty(input, 'files', { value, configurable: true })
      fireEvent.change(input)
    },
    answer(path, answers) {
      const rule = { path, answers }
      rules.push(rule)
      return () => void rules.splice(rules.indexOf(rule), 1)
    },
  }
  return tab
}

/** A label of a required field ends with an asterisk. */
const labelled = (label: string | RegExp) =>
  label instanceof RegExp ? label : (text: string) => text === label || text === `${label} *`
