import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock, createTicker } from '../../../coordinator/console/src/api/clock.ts'

const NOON = Date.parse('2026-03-02T12:00:00Z')
const at = (ms: number): string => new Date(ms).toUTCString()

describe('the clock of the coordinator', () => {
  test('is that of the machine before the first answer', () => {
    expect(createClock(() => NOON).now()).toBe(NOON)
  })

  test('is that of the machine when both differ only by what an answer cannot say', () => {
    const clock = createClock(() => NOON)
    clock.read(at(NOON - 1_000))
    expect(clock.now()).toBe(NOON)
  })

  test.for([{ off: 3_600_000 }, { off: -3_600_000 }, { off: 86_400_000 }])(
    'follows an answer when the machine is off by $off ms',
    ({ off }) => {
      const clock = createClock(() => NOON + off)
      clock.read(at(NOON))
      expect(Math.abs(clock.now() - NOON)).toBeLessThan(1_000)
    },
  )

  test('is right again when the clock of the machine was set', () => {
    let machine = NOON + 3_600_000
    const clock = createClock(() => machine)
    clock.read(at(NOON))
    machine = NOON
    clock.read(at(NOON))
    expect(clock.now()).toBe(NOON)
  })

  test.for([{ date: null }, { date: 'soon' }])('ignores an answer with the time $date', ({ date }) => {
    const clock = createClock(() => NOON)
    clock.read(date)
    expect(clock.now()).toBe(NOON)
  })
})

describe('a ticker', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOON }))
  afterEach(() => void vi.useRealTimers())

  test('has one timer for all listeners, and none without one', () => {
    const ticker = createTicker(1_000, Date.now)
    const leave = [ticker.subscribe(() => undefined), ticker.subscribe(() => undefined)]
    expect(vi.getTimerCount()).toBe(1)
    for (const one of leave) one()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('tells the same time until the next tick', () => {
    const ticker = createTicker(1_000, Date.now)
    ticker.subscribe(() => undefined)
    vi.advanceTimersByTime(999)
    expect(ticker.time()).toBe(NOON)
    vi.advanceTimersByTime(1)
    expect(ticker.time()).toBe(NOON + 1_000)
  })

  test('is right at once for the first listener after a pause', () => {
    const ticker = createTicker(1_000, Date.now)
    vi.advanceTimersByTime(60_000)
    ticker.subscribe(() => undefined)
    expect(ticker.time()).toBe(NOON + 60_000)
  })
})
