import { createBrowsers } from '@placefleet/agent/browser/browsers'
import { startEgressProxy } from '@placefleet/agent/egress/egress-proxy'
import { createGuard } from '@placefleet/agent/egress/guard'
import { createExits, type Exit, orderFor } from '@placefleet/agent/maps/exits/exit'
import { createIdentities } from '@placefleet/agent/maps/session/identities'
import { createTaskSessions } from '@placefleet/agent/maps/session/task-sessions'
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
  const known = createIdentities({ guard, egress, browsers, base, log })
  let released = 0
  const identities: typeof known = {
    ...known,
    of: (...asked) => {
      const identity = known.of(...asked)
      const { release } = identity
      return Object.assign(identity, {
        release: () => {
          released++
          release()
        },
      })
    },
  }
  const refused = () => ({ verdict: 'exit_refused' }) as const
  const exits = createExits({ limits: { pace: undefined, inFlight: 1, restMs: 60_000 }, verdictIn: refused })
  const proxies = Array.from({ length: count.proxies }, (_, n) => `http://proxy${n}.example:1`)
  const task = { task_id: 'task', proxies }
  const sessions = createTaskSessions({ exits, identities, language: 'en', signal, mayProbe: false }, task)
  onTestFinished(() => sessions.close())
  return { all: proxies.map(exits.of), sessions, current: sessions.current, released: () => released }
}

/** The sessions of a task with three proxies, of which the site refuses one. */
async function sessionsWithARefusedExit() {
  const { all, sessions } = await sessionsOf({ proxies: 3 })
  const refusal = all[0]?.request(
    signal,
    () => Promise.reject(new Error('refused')),
    () => 'whole',
  )
  await expect(refusal).rejects.toThrow('refused')
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
  expect((await current()).exit.rest()).toBeUndefined()
  end(times(1))
  await expect(current()).rejects.toMatchObject({ fault: 'exit_refused' })
})

test('refusals with an answer between them do not stop a task while an exit is free', async () => {
  const { end, current } = await sessionsWithARefusedExit()
  end([...times(5), false, ...times(5)])
  expect((await current()).exit.rest()).toBeUndefined()
})

test('a task tries exits that may all send at once in its own order', async () => {
  const { all, current } = await sessionsOf({ proxies: 12 })
  const tried = new Set<Exit>()
  while (tried.size < all.length) tried.add((await current(tried)).exit)
  const proxiesOf = (exits: Iterable<Exit>) => [...exits].map(({ proxy }) => proxy)
  expect(proxiesOf(tried)).toEqual(proxiesOf(orderFor('task', all)))
})

test('an identity whose exit was refused is given back before the task ends, unless websites are read through it', async () => {
  const { all, sessions, released } = await sessionsOf({ proxies: 2 })
  const refuse = (exit?: Exit) => exit?.noteAnswer({ verdict: 'exit_refused' }, performance.now(), 'place')
  const [first] = orderFor('task', all)
  await sessions.current(new Set())
  sessions.releaseSpent()
  expect(released()).toBe(0)
  refuse(first)
  sessions.releaseSpent()
  expect(released()).toBe(1)
  await sessions.current(new Set())
  sessions.forWebsites()
  for (const exit of all) refuse(exit)
  sessions.releaseSpent()
  expect(released()).toBe(1)
})
