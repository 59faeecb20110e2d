import { createBrowsers } from '@placefleet/agent/browser/browsers'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createExits, type Exit, orderFor } from '@placefleet/agent/maps/requests/exit'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import { createIdentities } from '@placefleet/agent/maps/requests/identity'
import { createTaskSessions } from '@placefleet/agent/maps/requests/task-sessions'
import { createLogger } from '@placefleet/shared/log'
import { expect, onTestFinished, test } from 'vitest'

const base = new URL('http://maps.example')
const log = createLogger('test', 'silent')
const { signal } = new AbortController()

/** The sessions of a task with so many proxies. Nothing is sent. */
async function sessionsOf(count: { proxies: number }) {
  const guard = createGuard(new Set(), base.href)
  const egress = await startEgressProxy(guard, log)
  onTestFinished(() => egress.close())
  const find = () => Promise.reject(new Error('there is no Chromium'))
  const browsers = createBrowsers({ find, installedVersion: '1', proxyServer: egress.server, sandbox: true, log })
  const identities = createIdentities({ guard, egress, browsers, base, log })
  const exits = createExits({ limits: { pace: undefined, inFlight: 1, restMs: 60_000 } })
  const proxies = Array.from({ length: count.proxies }, (_, n) => `http://proxy${n}.example:1`)
  const task = { task_id: 'task', proxies }
  const sessions = createTaskSessions({ exits, identities, locale: { language: 'en' }, signal, mayProbe: false }, task)
  return { all: proxies.map(exits.of), sessions, current: sessions.current, identities }
}

/** The sessions of a task with three proxies, of which the site refuses one. */
async function sessionsWithARefusedExit() {
  const { all, sessions } = await sessionsOf({ proxies: 3 })
  const refusal = all[0]?.request(
    signal,
    () => Promise.reject(new MapFailed('exit_refused')),
    () => 'whole',
  )
  await expect(refusal).rejects.toThrow('exit_refused')
  return {
    end: (results: readonly boolean[]) => {
      for (const isRefused of results) sessions.ended(isRefused)
    },
    current: () => sessions.current(new Set()),
  }
}

const times = (count: number) => Array<boolean>(count).fill(true)

test('a task stops for now after six refusals in a row, though an exit is free', async () => {
  const { end, current } = await sessionsWithARefusedExit()
  end(times(5))
  expect((await current())?.identity.exit.rest()).toBeUndefined()
  end(times(1))
  await expect(current()).rejects.toMatchObject({ fault: 'exit_refused' })
})

test('refusals with an answer between them do not stop a task while an exit is free', async () => {
  const { end, current } = await sessionsWithARefusedExit()
  end([...times(5), false, ...times(5)])
  expect((await current())?.identity.exit.rest()).toBeUndefined()
})

test('a task tries exits that may all send at once in its own order', async () => {
  const { all, current } = await sessionsOf({ proxies: 12 })
  const tried = new Set<Exit>()
  while (tried.size < all.length) tried.add((await current(tried))?.identity.exit ?? expect.fail('no exit is left'))
  const proxiesOf = (exits: Iterable<Exit>) => [...exits].map(({ proxy }) => proxy)
  expect(proxiesOf(tried)).toEqual(proxiesOf(orderFor('task', all)))
})

test('another identity follows one whose exit was refused, that was retired, or that speaks to another country', async () => {
  const { all, identities } = await sessionsOf({ proxies: 2 })
  const [exit = expect.fail()] = all
  const german = identities.of(exit, { language: 'en', country: 'de' })
  expect(identities.of(exit, { language: 'en', country: 'de' })).toBe(german)
  expect(identities.of(exit, { language: 'en', country: 'at' })).not.toBe(german)
  german.retire()
  const next = identities.of(exit, { language: 'en', country: 'de' })
  expect(next).not.toBe(german)
  exit.noteAnswer({ verdict: 'exit_refused' }, performance.now(), 'place')
  expect(identities.of(exit, { language: 'en', country: 'de' })).not.toBe(next)
})
