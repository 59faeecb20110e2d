import { createQuota, EXIT_QUOTA, UNKNOWN_QUOTA } from '@placefleet/coordinator/fleet/quota'
import { expect, onTestFinished, test, vi } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'

test.each([
  { what: 'exits', quota: EXIT_QUOTA, most: 1_000, ms: 3_600_000 },
  { what: 'unknown answers', quota: UNKNOWN_QUOTA, most: 3, ms: 60_000 },
])(
  'an agent may send $most different $what, whatever others send, and new ones after $ms ms',
  ({ quota, most, ms }) => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.advanceTimersByTime(1) // at 0 the cache takes no time for set
    const captured = capturedLog()
    const maySend = createQuota(captured.log, quota)
    const values = Array.from({ length: most }, (_, nth) => `value ${nth}`)
    expect(values.every((value) => maySend('one', value))).toBe(true)
    expect(['beyond', 'beyond too', 'value 0'].map((value) => maySend('one', value))).toEqual([false, false, true])
    expect(maySend('another', 'beyond')).toBe(true)
    expect(captured.lines.map((line) => JSON.parse(line).agent)).toEqual(['one'])

    vi.advanceTimersByTime(ms)
    expect(maySend('one', 'beyond')).toBe(false)
    vi.advanceTimersByTime(1)
    expect(maySend('one', 'beyond')).toBe(true)
  },
)
