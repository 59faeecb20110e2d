import { expect, test } from 'vitest'
import { withoutGaps } from '../../../coordinator/console/src/fleet/activity-rules.ts'
import { type Attempt, barOf, rangeOf, tookOf, verdictOf } from '../../../coordinator/console/src/job/timeline-rules.ts'
import { hasRest } from '../../../coordinator/console/src/jobs/job-rules.ts'

const at = (seconds: number) => new Date(1_000_000_000_000 + seconds * 1_000).toISOString()
const attempt = (started: number, ended?: number): Attempt => ({
  number: 1,
  started_at: at(started),
  ...(ended !== undefined && { ended_at: at(ended), result: 'finished' as const }),
})
const JOB = { created_at: at(0), started_at: at(100), ended_at: at(200) }

test('the bars of a job span the time from its start to its end, or to now', () => {
  expect(rangeOf(JOB, 0)).toEqual({ from: Date.parse(at(100)), to: Date.parse(at(200)) })
  const { ended_at: _, ...running } = JOB
  expect(rangeOf(running, Date.parse(at(150))).to).toBe(Date.parse(at(150)))
  expect(rangeOf({ created_at: at(0) }, Date.parse(at(0))).to, 'it is never empty').toBeGreaterThan(Date.parse(at(0)))
})

test('the bar of an attempt lies where it ran', () => {
  const range = rangeOf(JOB, 0)
  expect(barOf(attempt(125, 175), range)).toEqual({ left: 25, width: 50 })
  expect(barOf(attempt(150), range), 'one that runs goes on to the end').toEqual({ left: 50, width: 50 })
})

test('the bar of an attempt that took no time can be seen, also at the end', () => {
  const { left, width } = barOf(attempt(200, 200), rangeOf(JOB, 0))
  expect(width).toBeGreaterThan(0)
  expect(left + width).toBeLessThanOrEqual(100)
})

test('an attempt that runs has taken its time until now', () => {
  expect(tookOf(attempt(10, 15), 0)).toBe(5_000)
  expect(tookOf(attempt(10), Date.parse(at(12)))).toBe(2_000)
  expect(tookOf(attempt(10), Date.parse(at(9))), 'a clock that is behind').toBe(0)
})

test('the reason of a failure says more than that it failed', () => {
  expect(verdictOf({ ...attempt(0, 1), result: 'failed', reason: 'layout_changed' })).toBe('layout_changed')
  expect(verdictOf(attempt(0, 1))).toBe('finished')
  expect(verdictOf(attempt(0))).toBeUndefined()
})

test('only a job that ended before its time has a rest', () => {
  const rest = (job: object) => hasRest({ status: 'completed', result_count: 5, data: {}, ...job })
  expect(rest({})).toBe(false)
  expect(rest({ partial: true })).toBe(true)
  expect(rest({ status: 'cancelled' })).toBe(true)
  expect(rest({ status: 'cancelled', result_count: 0 })).toBe(false)
  expect(rest({ status: 'running', partial: true })).toBe(false)
})

test('hours without work are shown as such, up to the present one', () => {
  const now = Date.parse('2026-03-01T12:34:00Z')
  const work = { at: '2026-03-01T11:00:00.000Z', places: 7, visited: 8, blocked: 1, refused_tasks: 0 }
  const hours = withoutGaps([work, { ...work, at: '2026-02-01T11:00:00.000Z' }], { stepMs: 3_600_000, steps: 3, now })
  expect(hours.map(({ at, places }) => [at, places])).toEqual([
    ['2026-03-01T10:00:00.000Z', 0],
    ['2026-03-01T11:00:00.000Z', 7],
    ['2026-03-01T12:00:00.000Z', 0],
  ])
})
