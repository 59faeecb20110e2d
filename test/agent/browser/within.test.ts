import { createTimeLimit, within } from '@placefleet/agent/browser/within'
import { expect, onTestFinished, test, vi } from 'vitest'

const OVER = new Error('the task has ended')

test('work returns its result or throws its failure', async () => {
  expect(await within(Promise.resolve(7), 1_000)).toBe(7)
  await expect(within(Promise.reject(OVER), 1_000)).rejects.toBe(OVER)
})

test('work that does not end is a timeout', async () => {
  await expect(within(new Promise<never>(() => undefined), 1)).rejects.toMatchObject({ fault: 'timeout' })
})

test('an aborted signal ends the wait with its reason, and a later failure of the work is ignored', async () => {
  const work = Promise.reject(new Error('Chromium is gone'))
  await expect(within(work, 1_000, AbortSignal.abort(OVER))).rejects.toBe(OVER)
})

test('a time limit stands still while it is paused, also twice at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const limit = createTimeLimit(1_000)
  const ended = limit.race(new Promise(() => undefined), new AbortController().signal).catch((error) => error)
  vi.advanceTimersByTime(600)
  const [first, second] = [limit.pause(), limit.pause()]
  vi.advanceTimersByTime(5_000)
  first()
  first()
  vi.advanceTimersByTime(5_000)
  expect(limit.signal.aborted).toBe(false)
  second()
  vi.advanceTimersByTime(399)
  expect(limit.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(await ended).toMatchObject({ fault: 'timeout' })
})
