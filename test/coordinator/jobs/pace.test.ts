import { createJobPace } from '@placefleet/coordinator/jobs/pace'
import { expect, onTestFinished, test, vi } from 'vitest'

/** A pace by a clock that the test sets, and how many passes it made. */
function paced() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let passes = 0
  const pace = createJobPace(() => {
    passes += 1
  })
  const passesAfter = (ms: number) => {
    vi.advanceTimersByTime(ms)
    return passes
  }
  /** A pass found these tasks. */
  const found = (unclaimed: number | undefined, open: number) => {
    pace.listed('job')
    vi.advanceTimersByTime(0)
    pace.passed('job', unclaimed, open)
    passes = 0
  }
  return { pace, passesAfter, found }
}

test('a pass comes at once when a quarter of the tasks is left in the queue, not before', () => {
  const { pace, passesAfter, found } = paced()
  found(8, 20)
  for (let claimed = 1; claimed <= 5; claimed++) pace.claimed('job') // 3 are left
  expect(passesAfter(0)).toBe(0)
  pace.claimed('job')
  expect(passesAfter(0)).toBe(1)
})

test('a pass comes at once when the last task ends', () => {
  const { pace, passesAfter, found } = paced()
  found(undefined, 2)
  pace.ended('job')
  expect(passesAfter(0)).toBe(0)
  pace.ended('job')
  expect(passesAfter(0)).toBe(1)
})

test.each([
  { what: 'the last tasks end', event: 'ended', times: 2, unclaimed: undefined, open: 2, passes: 1 },
  { what: 'all tasks but one end', event: 'ended', times: 1, unclaimed: undefined, open: 2, passes: 0 },
  { what: 'the queue runs out', event: 'claimed', times: 3, unclaimed: 4, open: 9, passes: 1 },
  { what: 'half of the queue is claimed', event: 'claimed', times: 2, unclaimed: 4, open: 9, passes: 0 },
] as const)('when $what during a pass, $passes more follow it at once', ({ event, times, unclaimed, open, passes }) => {
  const { pace, passesAfter } = paced()
  pace.ended('job') // of an unknown job, which has a pass at once
  expect(passesAfter(0)).toBe(1)
  for (let nth = 0; nth < times; nth++) pace[event]('job')
  expect(passesAfter(0)).toBe(1)
  pace.passed('job', unclaimed, open)
  expect(passesAfter(0)).toBe(1 + passes)
  pace.passed('job', unclaimed, open)
  expect(passesAfter(0)).toBe(1 + passes)
})

test.each([
  { what: 'a task ended', event: 'ended', gap: 1_000 },
  { what: 'a task was claimed', event: 'claimed', gap: 1_000 },
  { what: 'a task came back', event: 'returned', gap: 250 },
  { what: 'a search listed places', event: 'listed', gap: 1_000 },
] as const)(
  'after $what a pass comes $gap ms after the one before, and one for all events until then',
  ({ event, gap }) => {
    const { pace, passesAfter, found } = paced()
    found(100, 100)
    pace[event]('job')
    pace[event]('job')
    expect(passesAfter(gap - 1)).toBe(0)
    expect(passesAfter(1)).toBe(1)
    expect(passesAfter(10_000)).toBe(1)
  },
)

test('a search that lists places while the queue needs none is passed over after 250 ms', () => {
  const { pace, passesAfter, found } = paced()
  found(undefined, 100)
  pace.listed('job')
  expect(passesAfter(249)).toBe(0)
  expect(passesAfter(1)).toBe(1)
})

test('a task that waits is passed over when it is ready, or with an earlier pass', () => {
  const { pace, passesAfter, found } = paced()
  found(100, 100)
  pace.readyIn('job', 5_000)
  pace.readyIn('job', 700)
  pace.readyIn('job', 900)
  expect(passesAfter(699)).toBe(0)
  expect(passesAfter(1)).toBe(1)
  expect(passesAfter(10_000)).toBe(1)
})

test('the progress is shown once a second, and a forgotten job has no pass', () => {
  const { pace, passesAfter, found } = paced()
  found(100, 100)
  expect([pace.mustShow('job'), pace.mustShow('job')]).toEqual([true, false])
  passesAfter(999)
  expect(pace.mustShow('job')).toBe(false)
  passesAfter(1)
  expect(pace.mustShow('job')).toBe(true)
  pace.readyIn('job', 10)
  pace.forget('job')
  expect(passesAfter(20)).toBe(0)
})
