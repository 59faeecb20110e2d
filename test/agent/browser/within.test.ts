import { within } from '@placefleet/agent/browser/within'
import { expect, test } from 'vitest'

const OVER = new Error('the task has ended')

test('work gives its result, or its failure', async () => {
  expect(await within(Promise.resolve(7), 1_000)).toBe(7)
  await expect(within(Promise.reject(OVER), 1_000)).rejects.toBe(OVER)
})

test('work that does not end is a timeout', async () => {
  await expect(within(new Promise<never>(() => undefined), 1)).rejects.toMatchObject({ fault: 'timeout' })
})

test('a signal that has aborted ends the waiting with its reason, and what the work throws then is nobody’s', async () => {
  const work = Promise.reject(new Error('Chromium is gone'))
  await expect(within(work, 1_000, AbortSignal.abort(OVER))).rejects.toBe(OVER)
})
