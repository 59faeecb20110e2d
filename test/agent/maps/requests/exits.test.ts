import { setImmediate } from 'node:timers/promises'
import { createExit, createExits, orderFor } from '@placefleet/agent/maps/requests/exit'
import { MapFailed } from '@placefleet/agent/maps/requests/failure'
import type { Fault } from '@placefleet/agent/maps/requests/verdicts'
import { expect, onTestFinished, test, vi } from 'vitest'

const LONG_RESTS = { pace: undefined, inFlight: 1, restMs: 60_000 }
const never = new AbortController().signal
const whole = () => 'whole' as const
const refuse = (fault: Fault = 'exit_refused', retryAfterMs?: number) =>
  Promise.reject(new MapFailed(fault, undefined, { retryAfterMs }))

function exitAt(proxy?: string) {
  let now = 1_000
  const exit = createExit(proxy, { limits: LONG_RESTS, now: () => now, random: () => 1 })
  const pass = (ms: number) => {
    now += ms
  }
  return { exit, pass }
}

/** Of two requests at once the exit sends one, its canary, and the other once that is answered. */
async function expectCanary(exit: ReturnType<typeof createExit>): Promise<void> {
  let sent = 0
  const answer = Promise.withResolvers<void>()
  const send = () => {
    sent += 1
    return answer.promise
  }
  const both = [exit.request(never, send, whole), exit.request(never, send, whole)]
  await setImmediate()
  expect(sent).toBe(1)
  answer.resolve()
  await Promise.all(both)
  expect(sent).toBe(2)
}

test('after a refusal the exit sends nothing, and after its rest a single request', async () => {
  const { exit, pass } = exitAt()
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  let sent = 0
  const send = async () => void sent++
  await expect(exit.request(never, send, whole)).rejects.toMatchObject({
    name: 'ExitRests',
    rest: { reason: 'blocked' },
  })
  expect(sent).toBe(0)

  pass(60_000)
  const canary = Promise.withResolvers<void>()
  const first = exit.request(never, () => canary.promise, whole)
  const others = [exit.request(never, send, whole), exit.request(never, send, whole)]
  await Promise.resolve()
  expect(sent).toBe(0)
  canary.resolve()
  await Promise.all([first, ...others])
  expect(sent).toBe(2)
})

test('an exit sends at its pace after the clock of the machine was set back', async () => {
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const exit = createExit(undefined, { limits: LONG_RESTS })
  await exit.request(never, async () => undefined, whole)
  vi.setSystemTime(start)
  await exit.request(never, async () => undefined, whole)
})

test('a canary that is refused keeps the others from asking', async () => {
  const { exit, pass } = exitAt()
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  pass(60_000)
  let sent = 0
  const canary = exit.request(never, () => refuse(), whole)
  const other = exit.request(never, async () => void sent++, whole)
  await expect(canary).rejects.toThrow()
  await expect(other).rejects.toMatchObject({ name: 'ExitRests' })
  expect(sent).toBe(0)
})

test.each(['not_found', 'exit_refused', 'network', 'consent', 'unknown'] as const)(
  'a canary that is aborted teaches the exit nothing, though it ends as "%s"',
  async (verdict) => {
    const { exit, pass } = exitAt('http://proxy:1')
    await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
    pass(60_000)
    const stop = new AbortController()
    const canary = exit.request(
      stop.signal,
      () => {
        stop.abort()
        return refuse(verdict)
      },
      whole,
    )
    await expect(canary).rejects.toThrow()
    expect(exit.rest()).toBeUndefined()

    await expectCanary(exit)
  },
)

test.each(['not_found', 'network', 'consent', 'unknown'] as const)(
  'a request from before the block that ends as "%s" does not change the rest',
  async (verdict) => {
    const { exit, pass } = exitAt('http://proxy:1')
    const [sent, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const early = exit.request(
      never,
      () => {
        sent.resolve()
        return answer.promise
      },
      whole,
    )
    await sent.promise
    pass(1)
    await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
    const rest = exit.rest()
    answer.reject(new MapFailed(verdict))
    await expect(early).rejects.toThrow()
    expect(rest?.reason).toBe('blocked')
    expect(exit.rest()).toEqual(rest)
  },
)

test.each([
  ['not_found', undefined],
  ['network', 'failed'],
  ['unknown', undefined],
] as const)('an answer after the block that means %s is no reason to send more', async (verdict, rest) => {
  const { exit, pass } = exitAt('http://proxy:1')
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  pass(60_000)
  await expect(exit.request(never, () => refuse(verdict), whole)).rejects.toThrow()
  expect(exit.rest()?.reason).toBe(rest)
  await expectCanary(exit)
})

test('a refusal ends its request at once, and the exit rests, while the coordinator does not answer', async () => {
  const free = { turns: [], isCanary: false, isFree: true, rest: undefined, refusedAt: 0, nextAt: 0, askAt: 0 }
  const keeperFor = () => ({
    take: ({ reports }: { reports: readonly unknown[] }) =>
      reports.length > 0 ? Promise.withResolvers<typeof free>().promise : Promise.resolve(free),
    follow: () => undefined,
  })
  const exit = createExit(undefined, { limits: LONG_RESTS, keeperFor })
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  expect(exit.rest()?.reason).toBe('blocked')
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('rests')
})

test('a request that is cancelled leaves the queue of its exit at once, and the others keep their order', async () => {
  const limits = { ...LONG_RESTS, pace: { start: 60_000, most: 60_000 } }
  const exit = createExit(undefined, { limits })
  const first = Promise.withResolvers<void>()
  const stop = new AbortController()
  const sent: string[] = []
  const running = exit.request(never, () => first.promise, whole)
  const cancelled = Array.from({ length: 8 }, () =>
    exit.request(stop.signal, async () => sent.push('cancelled'), whole),
  )
  const last = exit.request(never, async () => sent.push('last'), whole)
  stop.abort(new Error('the task was cancelled'))
  for (const one of cancelled) await expect(one).rejects.toThrow('the task was cancelled')
  expect(sent).toEqual([])
  first.resolve()
  await Promise.all([running, last])
  expect(sent).toEqual(['last'])
})

test('a cancelled request behind a canary does not wait for it', async () => {
  const { exit, pass } = exitAt()
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  pass(60_000)
  const answer = Promise.withResolvers<void>()
  const canary = exit.request(never, () => answer.promise, whole)
  const stop = new AbortController()
  const behind = exit.request(stop.signal, async () => undefined, whole)
  stop.abort(new Error('the task was cancelled'))
  await expect(behind).rejects.toThrow('the task was cancelled')
  answer.resolve()
  await canary
})

test('a proxy that failed may be asked again, since it may be the only one', async () => {
  const { exit } = exitAt('http://proxy:1')
  await expect(exit.request(never, () => refuse('network'), whole)).rejects.toThrow()
  expect(exit.rest()?.reason).toBe('failed')
  await expect(exit.request(never, async () => 'answer', whole)).resolves.toBe('answer')
  expect(exit.rest()).toBeUndefined()
})

test('proxies that differ only in their password are different exits', async () => {
  const exits = createExits({ limits: LONG_RESTS })
  const one = exits.of('http://user:one@proxy:1')
  expect(exits.of('http://user:one@proxy:1')).toBe(one)
  await expect(one.request(never, () => refuse(), whole)).rejects.toThrow()
  expect(exits.of('http://user:two@proxy:1').rest()).toBeUndefined()
  expect(exits.resting()).toEqual({ blocked: 1, consent: 0, failed: 0, unknown: 0 })
})

test('a task begins at the same exit every time, and tasks spread over all', () => {
  const exits = createExits({ limits: LONG_RESTS })
  const all = ['a', 'b', 'c', 'd'].map((proxy) => exits.of(`http://${proxy}:1`))
  const firsts = Array.from({ length: 40 }, (_, n) => orderFor(`task-${n}`, all)[0])
  expect(new Set(firsts).size).toBe(4)
  expect(orderFor('task-1', all)).toEqual(orderFor('task-1', all))
})

test('resting exits come last, those whose rest ends first before the others', async () => {
  const exits = createExits({ limits: LONG_RESTS })
  const all = ['a', 'b', 'c', 'd'].map((proxy) => exits.of(`http://${proxy}:1`))
  const restMs = [60_000, 0, 240_000, 120_000]
  for (const [nth, exit] of all.entries()) {
    if (restMs[nth])
      await expect(exit.request(never, () => refuse('exit_refused', restMs[nth]), whole)).rejects.toThrow()
  }
  for (const task of ['one', 'two', 'three', 'four', 'five'])
    expect(orderFor(task, all)).toEqual([all[1], all[0], all[3], all[2]])
})
