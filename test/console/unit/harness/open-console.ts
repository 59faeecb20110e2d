import '../../harness/load-console.ts'
import { format } from 'node:util'
import { notifications } from '@mantine/notifications'
import { timeoutManager } from '@tanstack/react-query'
import { type ByRoleMatcher, cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/react'
import { createElement } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import { createQueries } from '../../../../coordinator/console/src/api/queries.ts'
import type { EventStream } from '../../../../coordinator/console/src/job/job-events.ts'
import { followSignInLinks } from '../../../../coordinator/console/src/sign-in/sign-in-api.ts'
import { createFakeApi, type RouteName, type Routes } from './fake-api.ts'
import { currentSession, NOTHING_MADE } from './samples.ts'

const { App } = await import('../../../../coordinator/console/src/app/app.tsx')

configure({
  asyncUtilTimeout: 30_000, // machines that run these tests are busy
  defaultHidden: true, // nothing has a layout here, and to look whether it is hidden takes long
  getElementError: (message) => new Error(`${message}\nThe page shows: ${shown()}`),
})

/** Returns the texts of the page, without those of styles. */
const shown = () =>
  document.body.innerHTML.replace(/<style.*?<\/style>|^.*?Skip to content/gs, '').replace(/(<[^>]*>)+/g, '|')

/** The timers of the cache of queries: polls and retries. They stand still until a test lets them run. */
const waiting = new Map<number, { run: () => void; repeats: boolean }>()
let timers = 0
const start = (repeats: boolean) => (run: () => void) => {
  waiting.set(++timers, { run, repeats })
  return timers
}
const stop = (timer: number | undefined) => void waiting.delete(timer ?? 0)
timeoutManager.setTimeoutProvider({
  setTimeout: start(false),
  setInterval: start(true),
  clearTimeout: stop,
  clearInterval: stop,
})

export type ConsoleOptions = {
  role?: 'user' | 'operator'
  /** The languages of the browser. */
  languages?: string[]
  /** What the test lets the page log as an error. */
  fails?: RegExp
}

/** The console in a document without a browser, and what a user does with it. */
export type Opened = ReturnType<typeof consoleOf>

/**
 * Shows a page of the console to a signed-in user, in front of a fake API. After the test it is closed, and the test
 * fails if the console logged an error, or if a request or an answer was not as the OpenAPI document says.
 */
export function openConsole(path: string, routes: Routes, options: ConsoleOptions = {}): Opened {
  const { role = 'user', languages = ['en-GB'], fails } = options
  const api = createFakeApi({ ...NOTHING_MADE, 'GET /auth/session': currentSession({ role }), ...routes })
  vi.stubGlobal('fetch', api.fetch)
  const locks = { request: (_name: string, _options: object, task: () => unknown) => task() } // of one tab
  Object.defineProperties(navigator, {
    languages: { value: languages, configurable: true },
    locks: { value: locks, configurable: true },
  })
  vi.stubGlobal('EventSource', SilentStream)
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const queries = createQueries()
  const { queries: defaults } = queries.getDefaultOptions()
  queries.setDefaultOptions({ ...queries.getDefaultOptions(), queries: { ...defaults, retry: false } })
  announceNavigation()
  history.replaceState(null, '', `/console/${path}`)
  followSignInLinks()
  onTestFinished(() => {
    const errors = logged.mock.calls.map((values) => format(...values)).filter((error) => !fails?.test(error))
    cleanup()
    queries.clear()
    waiting.clear()
    notifications.clean()
    localStorage.clear()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    expect([...api.faults, ...errors]).toEqual([])
  })
  render(createElement(App, { queries, env: 'test' }))
  return consoleOf(api)
}

/** A stream of events that never opens, so that pages poll. */
class SilentStream implements EventStream {
  readonly readyState = 0
  onopen: EventStream['onopen'] = null
  onerror: EventStream['onerror'] = null
  onmessage: EventStream['onmessage'] = null
  readonly close = () => undefined
}

const ANNOUNCES = Symbol.for('wouter_v3')

/** Does what wouter does when it is loaded, for the window of each file: modules are loaded once for several. */
function announceNavigation(): void {
  if (ANNOUNCES in window) return
  for (const type of ['pushState', 'replaceState'] as const) {
    const original = history[type].bind(history)
    history[type] = (...args) => {
      original(...args)
      dispatchEvent(new Event(type))
    }
  }
  Object.assign(window, { [ANNOUNCES]: true })
}

/** A label of a required field ends with an asterisk. */
const labelled = (label: string) => new RegExp(`^${label.replace(/[?()]/g, '\\$&')}( \\*)?$`)

function consoleOf({ requests, routes, headers }: ReturnType<typeof createFakeApi>) {
  const page = within(document.body)
  const isEnabled = (control: HTMLElement) =>
    !control.hasAttribute('data-disabled') && !control.hasAttribute('data-loading') && !control.matches(':disabled')
  const click = async (role: ByRoleMatcher, name: string | RegExp, among = page) =>
    fireEvent.click(
      await waitFor(() => {
        const [control] = among.getAllByRole(role, { name }).filter(isEnabled)
        return control ?? expect.unreachable(`${name} is disabled`)
      }),
    )
  return {
    ...page,
    requests,
    routes,
    headers,
    /** Returns the bodies that the console sent to an operation. */
    sentTo: (operation: RouteName) => requests.filter(({ name }) => name === operation).map(({ body }) => body),
    /** Shows another page, as a link of the console does. */
    go: (path: string) => history.pushState(null, '', `/console/${path}`),
    /** Waits until the page shows a text, at least as a part of another. */
    see: (text: string | RegExp) => page.findAllByText(text, { exact: false }),
    gone: (text: string | RegExp) => waitFor(() => expect(page.queryAllByText(text, { exact: false })).toHaveLength(0)),
    seeAlert: (text: string | RegExp) =>
      waitFor(() => {
        const alerts = page.getAllByRole('alert').filter((alert) => within(alert).queryAllByText(text).length > 0)
        expect(alerts).not.toEqual([])
      }),
    click,
    press: (name: string | RegExp) => click('button', name),
    /** Returns the one dialog that is open. */
    dialog: async () => within(await page.findByRole('dialog')),
    /** Presses a button of the one dialog that is open. */
    pressInDialog: async (name: string) => click('button', name, within(await page.findByRole('dialog'))),
    /** Chooses an action from the menu of a row. */
    async choose(row: string, action: string) {
      await click('button', `Actions for ${row}`)
      await click('menuitem', action)
    },
    async fill(label: string, value: string) {
      fireEvent.change(await page.findByLabelText(labelled(label)), { target: { value } })
    },
    /** Enters a text and presses Enter. */
    async enter(label: string, value: string) {
      const field = await page.findByLabelText(labelled(label))
      fireEvent.change(field, { target: { value } })
      fireEvent.keyDown(field, { key: 'Enter' })
    },
    /** Chooses a table of places as a file. */
    async upload(name: string, text: string) {
      const inputs = () => document.querySelectorAll('input[type=file]:not([accept*=json])')
      const input = await waitFor(() => inputs()[0] ?? expect.unreachable('there is no button for files'))
      Object.defineProperty(input, 'files', {
        value: [new File([text], name, { type: 'text/csv' })],
        configurable: true,
      })
      fireEvent.change(input)
    },
    field: (label: string) => page.getByLabelText(labelled(label)),
    /** Returns the labels of the fields that are marked as wrong, in their order. */
    wrongFields: () =>
      [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(({ labels }) =>
        labels?.[0]?.textContent?.replace(' *', ''),
      ),
    valueOf: (label: string) => page.getByLabelText<HTMLInputElement>(labelled(label)).value,
    /** Lets the polls and retries that wait now begin. */
    pass() {
      for (const [timer, { run, repeats }] of [...waiting]) {
        if (!repeats) waiting.delete(timer)
        run()
      }
    },
  }
}
