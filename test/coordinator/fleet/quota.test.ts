import { createQuota, EXIT_QUOTA, UNKNOWN_QUOTA } from '@placefleet/coordinator/fleet/quota'
import { expect, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { until } from '../../harness/until.ts'

test.each([
  { what: 'exits in an hour', quota: EXIT_QUOTA, most: 1_000, withinMs: 3_600_000 },
  { what: 'unknown answers in a minute', quota: UNKNOWN_QUOTA, most: 3, withinMs: 60_000 },
])('an agent may send $most different $what, whatever others send', ({ quota, most, withinMs }) => {
  const captured = capturedLog()
  const maySend = createQuota(captured.log, quota)
  const values = Array.from({ length: most }, (_, nth) => `value ${nth}`)
  expect(values.every((value) => maySend('one', value))).toBe(true)
  expect(['beyond', 'beyond too', 'value 0'].map((value) => maySend('one', value))).toEqual([false, false, true])
  expect(maySend('another', 'beyond')).toBe(true)
  expect(captured.lines.map((line) => JSON.parse(line).agent)).toEqual(['one'])
  expect(quota.withinMs).toBe(withinMs)
})

test('an agent may send other values after the time of a quota', async () => {
  const maySend = createQuota(capturedLog().log, { most: 1, withinMs: 30, what: 'values' })
  expect(maySend('one', 'first')).toBe(true)
  await until('another value may be sent', async () => maySend('one', 'second'))
})
