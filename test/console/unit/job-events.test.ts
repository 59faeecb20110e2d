import { expect, onTestFinished, test, vi } from 'vitest'
import {
  type EventStream,
  type Follower,
  followJob,
  waitAfterRefusals,
} from '../../../coordinator/console/src/job/job-events.ts'

const CONNECTING = 0
const CLOSED = 2

/** A browser whose streams a test opens, breaks and refuses. */
function browser() {
  const sources: (EventStream & { readyState: number })[] = []
  const waits: number[] = []
  let holders = 0
  const follower: Follower = {
    open() {
      const source = {
        readyState: CONNECTING,
        onopen: null,
        onerror: null,
        onmessage: null,
        close() {
          source.readyState = CLOSED
        },
      }
      sources.push(source)
      return source
    },
    async alone(_, task) {
      holders++
      return task().finally(() => {
        holders--
      })
    },
    async wait(ms) {
      waits.push(ms)
    },
  }
  const last = () => sources.at(-1)
  return {
    follower,
    waits,
    holders: () => holders,
    streams: () => sources.length,
    isClosed: () => last()?.readyState === CLOSED,
    opens: () => last()?.onopen?.(new Event('open')),
    breaks: () => last()?.onerror?.(new Event('error')),
    refuses() {
      const source = last()
      if (source) source.readyState = CLOSED
      source?.onerror?.(new Event('error'))
    },
    sends: (event: unknown) => last()?.onmessage?.(new MessageEvent('message', { data: JSON.stringify(event) })),
  }
}

function follow() {
  const tab = browser()
  const heard: unknown[] = []
  const stop = followJob(
    'a-job',
    {
      onProgress: ({ type }) => heard.push(type),
      onEnd: () => heard.push('end'),
      onLive: (live) => heard.push(live ? 'live' : 'not live'),
    },
    tab.follower,
  )
  onTestFinished(stop)
  return { ...tab, heard, stop }
}

test('an open stream is live, and its events are heard', async () => {
  const stream = follow()
  stream.opens()
  stream.sends({ type: 'progress' })
  stream.sends({ type: 'end' })
  expect(stream.heard).toEqual(['live', 'progress', 'end'])
})

test('a broken stream is not live until the browser has opened it again', () => {
  const stream = follow()
  stream.opens()
  stream.breaks()
  stream.opens()
  expect(stream.heard).toEqual(['live', 'not live', 'live'])
  expect(stream.streams()).toBe(1)
})

test('a refused stream is let go, so that another tab may try, and opened again later', async () => {
  const stream = follow()
  stream.refuses()
  await vi.waitFor(() => expect(stream.streams()).toBe(2))
  expect(stream.holders()).toBe(1)
  expect(stream.waits).toEqual([waitAfterRefusals(1)])
})

test('each refusal in a row doubles the wait, and an open stream begins anew', async () => {
  const stream = follow()
  for (const nth of [2, 3, 4]) {
    stream.refuses()
    await vi.waitFor(() => expect(stream.streams()).toBe(nth))
  }
  stream.opens()
  stream.refuses()
  await vi.waitFor(() => expect(stream.streams()).toBe(5))
  expect(stream.waits).toEqual([2_000, 4_000, 8_000, 2_000])
})

test('no wait is longer than a minute', () => {
  expect(waitAfterRefusals(20)).toBe(60_000)
})

test('a tab that stops following closes its stream and opens no other', async () => {
  const stream = follow()
  stream.opens()
  stream.stop()
  expect(stream.isClosed()).toBe(true)
  await vi.waitFor(() => expect(stream.holders()).toBe(0))
  expect(stream.streams()).toBe(1)
})
