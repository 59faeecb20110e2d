import { expect, test, vi } from 'vitest'
import { loadChunk, type Tab } from '../../../coordinator/console/src/parts/chunk.ts'

const MISSING = new TypeError('Failed to fetch dynamically imported module')

/** A tab of a build, whose server is away for some looks. */
function tab({ build = 'build 1', awayFor = 0, stored = new Map<string, string>() } = {}) {
  let looks = 0
  const reload = vi.fn()
  const waits = vi.fn(async () => undefined)
  const made: Tab = {
    build,
    isReachable: async () => looks++ >= awayFor,
    wait: waits,
    reload,
    storage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value) },
  }
  return { tab: made, reload, waits, stored }
}

/** A chunk whose first loads fail. */
function chunk(failures: number) {
  let loads = 0
  return vi.fn(async () => {
    if (loads++ < failures) throw MISSING
    return 'the page'
  })
}

test('a chunk that is there is loaded once', async () => {
  const { tab: one, reload } = tab()
  const load = chunk(0)
  expect(await loadChunk(load, one)).toBe('the page')
  expect(load).toHaveBeenCalledOnce()
  expect(reload).not.toHaveBeenCalled()
})

test('a chunk is awaited while the server is away, and the page is not loaded anew', async () => {
  const { tab: one, reload, waits } = tab({ awayFor: 3 })
  expect(await loadChunk(chunk(1), one)).toBe('the page')
  expect(waits).toHaveBeenCalledTimes(3)
  expect(reload).not.toHaveBeenCalled()
})

test('a chunk of an older build makes the page load anew, and nothing else is shown until then', async () => {
  const { tab: one, reload } = tab()
  const loading = loadChunk(chunk(2), one)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(await Promise.race([loading, Promise.resolve('still loading')])).toBe('still loading')
})

test('a chunk that is missing after a new load is a fault, not a loop', async () => {
  const { stored, tab: one } = tab()
  void loadChunk(chunk(2), one)
  await vi.waitFor(() => expect(stored.size).toBe(1))
  const { tab: again, reload } = tab({ stored })
  await expect(loadChunk(chunk(2), again)).rejects.toBe(MISSING)
  expect(reload).not.toHaveBeenCalled()
})

test('the page is loaded anew again for a later build', async () => {
  const { stored, tab: one } = tab()
  void loadChunk(chunk(2), one)
  await vi.waitFor(() => expect(stored.size).toBe(1))
  const { tab: later, reload } = tab({ build: 'build 2', stored })
  void loadChunk(chunk(2), later)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
})
