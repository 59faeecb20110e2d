import { setImmediate } from 'node:timers/promises'
import { createExit, createExits, orderFor } from '@placefleet/agent/maps/exits/exit'
import {
  createRungMemory,
  isClimbingUseless,
  memoryAfter,
  repeatsFor,
  type SubjectMemory,
} from '@placefleet/agent/maps/exits/rung-memory'
import type { AnswerVerdict } from '@placefleet/agent/maps/exits/turns'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'

const LONG_RESTS = { pace: undefined, inFlight: 1, restMs: 60_000 }
const never = new AbortController().signal
class Refusal extends Error {
  readonly judged: AnswerVerdict
  constructor(judged: AnswerVerdict = { verdict: 'exit_refused' }) {
    super('refused')
    this.judged = judged
  }
}
const verdictIn = (error: unknown) => (error instanceof Refusal ? error.judged : undefined)
const whole = () => 'whole' as const
const refuse = (judged?: AnswerVerdict) => Promise.reject(new Refusal(judged))

function exitAt(proxy?: string) {
  let now = 1_000
  const exit = createExit(proxy, { limits: LONG_RESTS, verdictIn, now: () => now, random: () => 1 })
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
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('refused')
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
  const exit = createExit(undefined, { limits: LONG_RESTS, verdictIn })
  await exit.request(never, async () => undefined, whole)
  vi.setSystemTime(start)
  await exit.request(never, async () => undefined, whole)
})

test('a canary that is refused keeps the others from asking', async () => {
  const { exit, pass } = exitAt()
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('refused')
  pass(60_000)
  let sent = 0
  const canary = exit.request(never, () => refuse(), whole)
  const other = exit.request(never, async () => void sent++, whole)
  await expect(canary).rejects.toThrow('refused')
  await expect(other).rejects.toMatchObject({ name: 'ExitRests' })
  expect(sent).toBe(0)
})

test.each(['not_found', 'exit_refused', 'network', 'consent', 'unknown'] as const)(
  'a canary that is aborted teaches the exit nothing, though it ends as "%s"',
  async (verdict) => {
    const { exit, pass } = exitAt('http://proxy:1')
    await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('refused')
    pass(60_000)
    const stop = new AbortController()
    const canary = exit.request(
      stop.signal,
      () => {
        stop.abort()
        return refuse({ verdict })
      },
      whole,
    )
    await expect(canary).rejects.toThrow('refused')
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
    await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('refused')
    const rest = exit.rest()
    answer.reject(new Refusal({ verdict }))
    await expect(early).rejects.toThrow('refused')
    expect(rest?.reason).toBe('blocked')
    expect(exit.rest()).toEqual(rest)
  },
)

test('a gateway is known by the addresses that its refusals name', async () => {
  const { exit, pass } = exitAt('http://gateway:1')
  await expect(
    exit.request(never, () => refuse({ verdict: 'exit_refused', address: '1.1.1.1' }), whole),
  ).rejects.toThrow()
  expect(exit.isRotating()).toBe(false)
  pass(60_000)
  await expect(
    exit.request(never, () => refuse({ verdict: 'exit_refused', address: '2.2.2.2' }), whole),
  ).rejects.toThrow()
  expect(exit.isRotating()).toBe(true)
})

test.each([
  ['not_found', undefined],
  ['network', 'failed'],
  ['unknown', undefined],
] as const)('an answer after the block that means %s is no reason to send more', async (verdict, rest) => {
  const { exit, pass } = exitAt('http://proxy:1')
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  pass(60_000)
  await expect(exit.request(never, () => refuse({ verdict }), whole)).rejects.toThrow()
  expect(exit.rest()?.reason).toBe(rest)
  await expectCanary(exit)
})

test('a request that is cancelled leaves the queue of its exit at once, and the others keep their order', async () => {
  const limits = { ...LONG_RESTS, pace: { start: 60_000, most: 60_000 } }
  const exit = createExit(undefined, { limits, verdictIn })
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
  await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow('refused')
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
  await expect(exit.request(never, () => refuse({ verdict: 'network' }), whole)).rejects.toThrow()
  expect(exit.rest()?.reason).toBe('failed')
  await expect(exit.request(never, async () => 'answer', whole)).resolves.toBe('answer')
  expect(exit.rest()).toBeUndefined()
})

test('proxies that differ only in their password are different exits', async () => {
  const exits = createExits({ limits: LONG_RESTS, verdictIn })
  const one = exits.of('http://user:one@proxy:1')
  expect(exits.of('http://user:one@proxy:1')).toBe(one)
  await expect(one.request(never, () => refuse(), whole)).rejects.toThrow()
  expect(exits.of('http://user:two@proxy:1').rest()).toBeUndefined()
  expect(exits.resting()).toEqual({ blocked: 1, consent: 0, failed: 0, unknown: 0 })
})

test('a task begins at the same exit every time, and tasks spread over all', () => {
  const exits = createExits({ limits: LONG_RESTS, verdictIn })
  const all = ['a', 'b', 'c', 'd'].map((proxy) => exits.of(`http://${proxy}:1`))
  const firsts = Array.from({ length: 40 }, (_, n) => orderFor(`task-${n}`, all)[0])
  expect(new Set(firsts).size).toBe(4)
  expect(orderFor('task-1', all)).toEqual(orderFor('task-1', all))
})

test('resting exits come last', async () => {
  const exits = createExits({ limits: LONG_RESTS, verdictIn })
  const all = ['a', 'b', 'c'].map((proxy) => exits.of(`http://${proxy}:1`))
  for (const exit of all.slice(0, 2)) await expect(exit.request(never, () => refuse(), whole)).rejects.toThrow()
  expect(orderFor('any task', all)[0]).toBe(all[2])
})

const CHROMIUM: SubjectMemory = { rung: 'browser', proven: true, failedClimbs: 0 }

test('the rung that worked is remembered for five minutes, even while it is used', () => {
  let now = 0
  const memory = createRungMemory(() => now)
  memory.remember('place', CHROMIUM)
  expect(memory.of('place')).toEqual(CHROMIUM)
  expect(memory.of('search').rung).toBe('http')
  now = 299_000
  memory.remember('place', CHROMIUM)
  now = 301_000
  expect(memory.of('place').rung).toBe('http')
})

test('a climb does not begin at a useless rung, and two failed climbs end climbing', () => {
  const nothing = { rung: 'browser', gaps: 1, showsWholeAnswers: false, isEmpty: true } as const
  const first = memoryAfter(createRungMemory(() => 0).of('reviews'), nothing)
  expect(first).toEqual({ rung: 'http', proven: false, failedClimbs: 1 })
  expect(isClimbingUseless(first)).toBe(false)
  expect(isClimbingUseless(memoryAfter(first, nothing))).toBe(true)
  expect(memoryAfter(first, { ...nothing, gaps: 0, isEmpty: false }).rung).toBe('browser')
})

test('requests with gaps are repeated according to the share of trimmed answers, at most 16 times', () => {
  const asks = (trimmed: number, whole: number) =>
    repeatsFor([...Array<boolean>(trimmed).fill(true), ...Array<boolean>(whole).fill(false)])
  expect(asks(0, 40)).toEqual({ asks: 3, sure: true })
  expect(asks(0, 1)).toEqual({ asks: 14, sure: true })
  expect(asks(2, 18)).toEqual({ asks: 6, sure: true }) // three were too few when a site trimmed three in ten
  expect(asks(20, 20)).toEqual({ asks: 15, sure: true })
  expect(asks(30, 10)).toEqual({ asks: 16, sure: false })
})

test('an exit that never gave a whole answer is asked five times, and twice where that costs more', () => {
  const memory = createRungMemory(() => 0)
  expect(memory.repeats('http', 'place')).toEqual({ asks: 5, sure: false })
  expect(memory.repeats('browser', 'place')).toEqual({ asks: 2, sure: false })
  memory.remember('place', { rung: 'http', proven: true, failedClimbs: 0 })
  for (let nth = 0; nth < 40; nth++) memory.trimmed('place', 0)
  expect(memory.repeats('http', 'place')).toEqual({ asks: 3, sure: true })
})

test('the more answers the site trims, the more often an exit asks again', () => {
  const memory = createRungMemory(() => 0)
  memory.remember('place', { rung: 'http', proven: true, failedClimbs: 0 })
  for (let nth = 0; nth < 10; nth++) memory.trimmed('place', 3) // and then a whole one
  expect(memory.repeats('http', 'place')).toEqual({ asks: 16, sure: false })
})

test('after three equal first pages, only every fifth search repeats its first page, until one differs', () => {
  const memory = createRungMemory(() => 0)
  const looks = (times: number) => Array.from({ length: times }, () => memory.repeatsFirstPage())
  for (let nth = 0; nth < 3; nth++) {
    expect(memory.repeatsFirstPage()).toBe(true)
    memory.comparedFirstPages(false)
  }
  expect(looks(10)).toEqual([false, false, false, false, true, false, false, false, false, true])
  memory.comparedFirstPages(true)
  expect(memory.repeatsFirstPage()).toBe(true)
})

test('one climb for a subject runs at a time', async () => {
  const memory = createRungMemory(() => 0)
  const first = Promise.withResolvers<void>()
  const started: string[] = []
  const climb = (name: string, work: Promise<void>) =>
    memory.alone('place', () => {
      started.push(name)
      return work
    })
  const all = [climb('first', first.promise), climb('second', Promise.resolve())]
  await memory.alone('search', async () => void started.push('of a search'))
  expect(started).toEqual(['first', 'of a search'])
  first.resolve()
  await Promise.all(all)
  expect(started).toEqual(['first', 'of a search', 'second'])
})

test('a rung that was refused twice without an answer between is skipped for a day', () => {
  let now = 0
  const memory = createRungMemory(() => now)
  memory.refused('http', 'place', 1)
  memory.refused('http', 'search', 1) // sent together with the other
  memory.served('http', 'place')
  memory.refused('http', 'place', 2)
  expect(memory.of('place').rung).toBe('http') // too many requests, not the wrong kind
  memory.refused('http', 'place', 3)
  expect(memory.of('search').rung).toBe('browser')
  now = 24 * 3_600_000
  expect(memory.of('place').rung).toBe('http')
})

test('where the site wants scripts for a subject, only Chromium asks for it, for a day', () => {
  let now = 0
  const memory = createRungMemory(() => now)
  const state = () => [memory.of('search').rung, memory.of('place').rung, memory.refusesHttp()]
  expect(state()).toEqual(['http', 'http', false])
  memory.needsScripts('search')
  expect(state()).toEqual(['browser', 'http', true])
  now = 24 * 3_600_000
  expect(state()).toEqual(['http', 'http', false])
})

test('reviews are not requested for a day after three refusals in a row while other requests work', () => {
  let now = 0
  const memory = createRungMemory(() => now)
  for (const at of [1, 2]) memory.refused('http', 'reviews', at)
  memory.served('http', 'reviews')
  for (const at of [3, 4, 5]) {
    expect(memory.isRefused('reviews')).toBe(false)
    memory.refused('http', 'reviews', at)
    memory.served('http', 'place')
  }
  expect(memory.isRefused('reviews')).toBe(true)
  now = 25 * 3_600_000
  expect(memory.isRefused('reviews')).toBe(false)
})

test('the memory of one exit does not change that of another, in any order', () => {
  const step = fc.record({ exit: fc.constantFrom(0, 1), event: fc.constantFrom('proven', 'trimmed', 'refused') })
  const property = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const both = [createRungMemory(() => 0), createRungMemory(() => 0)]
    const alone = createRungMemory(() => 0)
    const teach = (memory: typeof alone | undefined, event: string, nth: number) => {
      if (event === 'refused') memory?.refused('http', 'place', nth)
      else memory?.remember('place', { rung: 'http', proven: event === 'proven', failedClimbs: 0 })
    }
    for (const [nth, { exit, event }] of steps.entries()) {
      teach(both[exit], event, nth)
      if (exit === 0) teach(alone, event, nth)
    }
    expect(both[0]?.of('place')).toEqual(alone.of('place'))
  })
  fc.assert(property)
})
