import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeletions } from '../../../coordinator/console/src/jobs/deletions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SOON = 1_000

test('a deleted job is hidden at once, and sent when it can no longer be undone', async () => {
  const deletions = createDeletions(SOON)
  const send = vi.fn(async () => undefined)
  deletions.begin('a', send)
  expect(deletions.hidden()).toEqual(new Set(['a']))
  await vi.advanceTimersByTimeAsync(SOON - 1)
  expect(send).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(send).toHaveBeenCalledOnce()
})

test('a job stays hidden after its deletion was sent, also when another is deleted', async () => {
  const deletions = createDeletions(SOON)
  deletions.begin('a', async () => undefined)
  await vi.advanceTimersByTimeAsync(SOON)
  deletions.begin('b', async () => undefined)
  expect(deletions.hidden()).toEqual(new Set(['a', 'b']))
})

test('an undone deletion is never sent, and its job is shown again', async () => {
  const deletions = createDeletions(SOON)
  const send = vi.fn(async () => undefined)
  deletions.begin('a', send)
  deletions.keep('a')
  await vi.advanceTimersByTimeAsync(SOON)
  expect(send).not.toHaveBeenCalled()
  expect(deletions.hidden()).toEqual(new Set())
})

test('a job whose deletion failed is shown again, and others stay hidden', async () => {
  const deletions = createDeletions(SOON)
  deletions.begin('a', async () => deletions.keep('a'))
  deletions.begin('b', async () => undefined)
  await vi.advanceTimersByTimeAsync(SOON)
  expect(deletions.hidden()).toEqual(new Set(['b']))
})

test('all deletions are sent once when the user leaves', async () => {
  const deletions = createDeletions(SOON)
  const sent: string[] = []
  for (const id of ['a', 'b']) deletions.begin(id, async () => sent.push(id))
  await deletions.sendAll()
  await vi.advanceTimersByTimeAsync(SOON)
  expect(sent).toEqual(['a', 'b'])
})

test('listeners hear of each change until they leave', () => {
  const deletions = createDeletions(SOON)
  const listener = vi.fn()
  const leave = deletions.subscribe(listener)
  deletions.begin('a', async () => undefined)
  deletions.keep('a')
  leave()
  deletions.begin('b', async () => undefined)
  expect(listener).toHaveBeenCalledTimes(2)
})
