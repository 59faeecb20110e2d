import { createSlots } from '@placefleet/agent/browser/page-slots'
import { expect, test } from 'vitest'

const never = new AbortController().signal

test('no more run at once than there are slots, and all run in turn', async () => {
  const slots = createSlots(2)
  let running = 0
  let most = 0
  const order: number[] = []
  const work = (number: number) => async () => {
    running++
    most = Math.max(most, running)
    order.push(number)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  await Promise.all([1, 2, 3, 4, 5].map((number) => slots.run(work(number), never)))
  expect(most).toBe(2)
  expect(order).toEqual([1, 2, 3, 4, 5])
})

test('a waiter that stops gives its turn to the next, and a failure frees its slot', async () => {
  const slots = createSlots(1)
  const first = Promise.withResolvers<string>()
  const stop = new AbortController()
  const running = slots.run(() => first.promise, never)
  const waiting = slots.run(async () => 'never', stop.signal)
  const next = slots.run(() => Promise.reject(new Error('failed')), never)
  const last = slots.run(async () => 'last', never)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  first.resolve('first')
  expect(await running).toBe('first')
  await expect(next).rejects.toThrow('failed')
  expect(await last).toBe('last')
})
