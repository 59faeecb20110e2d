import { stopInTime } from '@placefleet/coordinator/app'
import { createLifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { delay } from '@placefleet/shared/timing'
import { expect, test } from 'vitest'

const never = new AbortController().signal

/** Parts that each take this long to close. */
function slowParts(...ms: number[]) {
  const life = createLifecycle(createLogger('test', 'silent'))
  const state = { closing: 0 }
  for (const each of ms) {
    life.own('part', each, () => {
      state.closing += 1
      return delay(each, never)
    })
  }
  return { life, state }
}

test('the drain and all parts share one budget, however long each would take', async () => {
  const { life, state } = slowParts(60_000, 0, 60_000, 60_000)
  const left: number[] = []
  const closeWithin = (ms: number) => life.closeWithin(left.push(ms) && ms)
  expect(await stopInTime({ ...life, closeWithin }, () => delay(100, never), 200)).toBe(false)
  expect(left).toEqual([expect.any(Number)])
  expect(left[0]).toBeLessThanOrEqual(101) // a timer may be early by a fraction
  expect(state.closing).toBe(4)
})

test('a stop whose parts are quick is whole', async () => {
  const { life } = slowParts(0, 1, 0)
  expect(await stopInTime(life, undefined, 60_000)).toBe(true)
})
