import { setImmediate } from 'node:timers/promises'
import { createExit, createExits, orderFor } from '@placefleet/agent/maps/requests/exit'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import type { Fault } from '@placefleet/agent/maps/requests/verdicts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

type ExitDeps = Parameters<typeof createExit>[1]

const LIMITS = { pace: undefined, inFlight: 1, restMs: 60_000 }
const PROXY = 'http://proxy:1'
const never = new AbortController().signal

/** Returns an exit and its clock. `send` sends a request through it, `fail` one that fails so. */
function exitAt(proxy?: string, deps: Partial<ExitDeps> = {}) {
  let now = 1_000
  const given = { limits: LIMITS, now: () => now, random: () => 1, ...deps }
  const exit = createExit(proxy, given)
  const send = <T>(work: () => Promise<T>, signal = never) => exit.request(signal, work, () => 'whole')
  const fail = (fault: Fault = 'exit_refused') =>
    expect(send(() => Promise.reject(new MapFailed(fault)))).rejects.toMatchObject({ fault })
  const pass = (ms: number) => {
    now += ms
  }
  return { exit, pass, send, fail }
}

/** An exit that was refused and whose rest is over: its next request is a canary. */
async function afterRest(proxy?: string) {
  const at = exitAt(proxy)
  await at.fail()
  at.pass(60_000)
  return at
}

/** Of three requests at once the exit sends one, its canary, and the others once that is answered. */
async function expectCanary(send: (work: () => Promise<void>) => Promise<void>): Promise<void> {
  let sent = 0
  const answer = Promise.withResolvers<void>()
  const work = () => {
    sent += 1
    return answer.promise
  }
  const all = [send(work), send(work), send(work)]
  await setImmediate()
  expect(sent).toBe(1)
  answer.resolve()
  await Promise.all(all)
  expect(sent).toBe(3)
}

test('after a refusal the exit sends nothing, and after its rest a single request', async () => {
  const { send, fail, pass } = exitAt()
  await fail()
  const work = vi.fn(async () => undefined)
  await expect(send(work)).rejects.toMatchObject({ name: 'ExitRests', rest: { reason: 'blocked' } })
  pass(59_999)
  await expect(send(work)).rejects.toThrow('rests')
  expect(work).not.toHaveBeenCalled()
  pass(1)
  await expectCanary(send)
})

test('an exit sends at its pace after the clock of the machine was set back', async () => {
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const exit = createExit(undefined, { limits: LIMITS })
  const send = () =>
    exit.request(
      never,
      async () => undefined,
      () => 'whole',
    )
  await send()
  vi.setSystemTime(start)
  await send()
})

test('a canary that is refused keeps the others from asking', async () => {
  const { send, fail } = await afterRest()
  const work = vi.fn(async () => undefined)
  const canary = fail()
  const other = send(work)
  await canary
  await expect(other).rejects.toMatchObject({ name: 'ExitRests' })
  expect(work).not.toHaveBeenCalled()
})

test.each(['not_found', 'exit_refused', 'network', 'consent', 'unknown'] as const)(
  'a canary that is aborted teaches the exit nothing, though it ends as "%s"',
  async (verdict) => {
    const { exit, send } = await afterRest(PROXY)
    const stop = new AbortController()
    const canary = send(() => {
      stop.abort()
      return Promise.reject(new MapFailed(verdict))
    }, stop.signal)
    await expect(canary).rejects.toMatchObject({ fault: verdict })
    expect(exit.rest()).toBeUndefined()
    await expectCanary(send)
  },
)

test.each(['not_found', 'network', 'consent', 'unknown'] as const)(
  'a request from before the block that ends as "%s" does not change the rest',
  async (verdict) => {
    const { exit, send, fail, pass } = exitAt(PROXY)
    const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const early = send(() => {
      sent.resolve()
      return answer.promise
    })
    await sent.promise
    pass(1)
    await fail()
    const rest = exit.rest()
    answer.reject(new MapFailed(verdict))
    await expect(early).rejects.toMatchObject({ fault: verdict })
    expect(rest?.reason).toBe('blocked')
    expect(exit.rest()).toEqual(rest)
  },
)

test.each([
  ['not_found', undefined],
  ['network', 'failed'],
  ['unknown', undefined],
] as const)('an answer after the block that means %s is no reason to send more', async (verdict, rest) => {
  const { exit, send, fail } = await afterRest(PROXY)
  await fail(verdict)
  expect(exit.rest()?.reason).toBe(rest)
  await expectCanary(send)
})

test('a refusal ends its request at once, and the exit rests, while the coordinator does not answer', async () => {
  const free = { turns: [], isCanary: false, isFree: true, rest: undefined, refusedAt: 0, nextAt: 0, askAt: 0 }
  const keeperFor = () => ({
    take: ({ reports }: { reports: readonly unknown[] }) =>
      reports.length > 0 ? Promise.withResolvers<typeof free>().promise : Promise.resolve(free),
    follow: () => undefined,
  })
  const { exit, send, fail } = exitAt(undefined, { keeperFor })
  await fail()
  expect(exit.rest()?.reason).toBe('blocked')
  await expect(send(async () => undefined)).rejects.toThrow('rests')
})

describe('a request that is cancelled', () => {
  test('leaves the queue of its exit at once, and the others keep their order', async () => {
    const pace = { start: 60_000, most: 60_000 }
    const exit = createExit(undefined, { limits: { ...LIMITS, pace } })
    const first = Promise.withResolvers<void>()
    const stop = new AbortController()
    const sent: string[] = []
    const send = (name: string, signal = never, answer?: Promise<void>) =>
      exit.request(
        signal,
        async () => {
          sent.push(name)
          await answer
        },
        () => 'whole',
      )
    const running = send('first', never, first.promise)
    const cancelled = Array.from({ length: 8 }, () => send('cancelled', stop.signal))
    const last = send('last')
    stop.abort(new Error('the task was cancelled'))
    for (const one of cancelled) await expect(one).rejects.toThrow('the task was cancelled')
    expect(sent).toEqual(['first'])
    first.resolve()
    await Promise.all([running, last])
    expect(sent).toEqual(['first', 'last'])
  })

  test('does not wait for the canary before it', async () => {
    const { send } = await afterRest()
    const answer = Promise.withResolvers<void>()
    const canary = send(() => answer.promise)
    const stop = new AbortController()
    const behind = send(async () => undefined, stop.signal)
    stop.abort(new Error('the task was cancelled'))
    await expect(behind).rejects.toThrow('the task was cancelled')
    answer.resolve()
    await canary
  })
})

test('a proxy that failed may be asked again, since it may be the only one', async () => {
  const { exit, send, fail } = exitAt(PROXY)
  await fail('network')
  expect(exit.rest()?.reason).toBe('failed')
  await expect(send(async () => 'answer')).resolves.toBe('answer')
  expect(exit.rest()).toBeUndefined()
})

describe('of several exits', () => {
  const exitsOf = (...proxies: string[]) => {
    const exits = createExits({ limits: LIMITS })
    return { exits, all: proxies.map(exits.of) }
  }
  const refuse = (exit: ReturnType<typeof createExit> | undefined, retryAfterMs?: number) =>
    exit?.noteAnswer({ verdict: 'exit_refused', retryAfterMs }, performance.now(), 'other')
  const four = () => exitsOf('http://a:1', 'http://b:1', 'http://c:1', 'http://d:1')

  test('those that differ only in their password are apart', () => {
    const { exits, all } = exitsOf('http://user:one@proxy:1', 'http://user:two@proxy:1')
    expect(exits.of('http://user:one@proxy:1')).toBe(all[0])
    refuse(all[0])
    expect(all[1]?.rest()).toBeUndefined()
    expect(exits.resting()).toEqual({ blocked: 1, consent: 0, failed: 0, unknown: 0 })
  })

  test('a task begins at the same one every time, and tasks spread over all', () => {
    const { all } = four()
    const firsts = Array.from({ length: 40 }, (_, n) => orderFor(`task-${n}`, all)[0])
    expect(new Set(firsts).size).toBe(4)
    expect(orderFor('task-1', all)).toEqual(orderFor('task-1', all))
  })

  test('resting ones come last, those whose rest ends first before the others', () => {
    const { all } = four()
    for (const [nth, restMs] of [60_000, 0, 240_000, 120_000].entries()) if (restMs) refuse(all[nth], restMs)
    for (const task of ['one', 'two', 'three', 'four', 'five'])
      expect(orderFor(task, all)).toEqual([all[1], all[0], all[3], all[2]])
  })
})
