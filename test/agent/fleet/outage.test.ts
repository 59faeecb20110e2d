import { createOutage } from '@placefleet/agent/fleet/outage'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const { log, lines } = capturedLog()
  let lasts = 0
  const outage = createOutage({
    log,
    what: 'the coordinator at host:1',
    lastingMs: 5_000,
    onLasting: () => void lasts++,
  })
  return { ...outage, lines, lasts: () => lasts }
}

test('a short outage is not logged', () => {
  const outage = watched()
  outage.begun(new Error('reset'))
  vi.advanceTimersByTime(4_000)
  outage.over()
  vi.advanceTimersByTime(600_000)
  expect(outage.lines).toEqual([])
  expect(outage.lasts()).toBe(0)
})

test('a long outage is logged after seconds and then once a minute, with the latest reason', () => {
  const outage = watched()
  outage.begun()
  vi.advanceTimersByTime(3_000)
  outage.begun(new Error('connection refused'))
  vi.advanceTimersByTime(2_000)
  expect(outage.lines).toHaveLength(1)
  expect(outage.lines[0]).toContain('the coordinator at host:1 does not answer (connection refused)')
  expect(outage.lasts()).toBe(1)

  outage.begun(new Error('no route'))
  vi.advanceTimersByTime(60_000)
  expect(outage.lines).toHaveLength(2)
  expect(outage.lines[1]).toContain('(no route)')
  vi.advanceTimersByTime(59_000)
  expect(outage.lines).toHaveLength(2)
})
