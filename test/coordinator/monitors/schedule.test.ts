import {
  dueOccurrences,
  EVERY_PATTERN,
  occurrencesAfter,
  type Schedule,
  scheduleFault,
  type Timing,
} from '@placefleet/coordinator/monitors/schedule'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'

const timing = (schedule: Schedule, more: Partial<Timing> = {}): Timing => ({
  monitor_id: 'm',
  schedule,
  anchor: new Date('2026-01-01T00:00:00Z'),
  jitter_seconds: 0,
  ...more,
})
const times = (given: Timing, after: string, count: number) =>
  occurrencesAfter(given, new Date(after), count).map(({ at }) => at.toISOString().slice(0, 16))

test.each([
  ['Europe/Berlin', '30 2 * * *', '2026-03-27T12:00Z', ['03-28T01:30', '03-29T01:00', '03-30T00:30']],
  ['Europe/Berlin', '30 2 * * *', '2026-10-23T12:00Z', ['10-24T00:30', '10-25T00:30', '10-26T01:30']],
  ['Australia/Lord_Howe', '15 2 * * *', '2026-10-02T00:00Z', ['10-02T15:45', '10-03T15:30', '10-04T15:15']],
  ['Australia/Lord_Howe', '45 1 * * *', '2026-04-03T00:00Z', ['04-03T14:45', '04-04T14:45', '04-05T15:15']],
])('in %s "%s" runs once a day when the clocks change', (timezone, cron, after, expected) => {
  expect(times(timing({ cron, timezone }), after, 3)).toEqual(expected.map((time) => `2026-${time}`))
})

test.each([
  ['2026-03-28T23:30Z', ['03-29T00:00', '03-29T01:00', '03-29T02:00']],
  ['2026-10-24T23:30Z', ['10-25T00:00', '10-25T01:00', '10-25T02:00']],
])('every hour is every hour when the clocks change, from %s', (after, expected) => {
  const hourly = timing({ cron: '0 * * * *', timezone: 'Europe/Berlin' })
  expect(times(hourly, after, 3)).toEqual(expected.map((time) => `2026-${time}`))
})

test('equal intervals count from the anchor, and end with the monitor', () => {
  const twice = timing({ every: '12h' }, { ends_at: new Date('2026-01-02T12:00:00Z') })
  expect(times(twice, '2026-01-01T00:00Z', 5)).toEqual(['2026-01-01T12:00', '2026-01-02T00:00', '2026-01-02T12:00'])
})

test('jitter delays each run by its own time of up to the whole jitter, the same at every evaluation', () => {
  const late = timing({ every: '1h' }, { jitter_seconds: 600 })
  const runs = occurrencesAfter(late, new Date('2026-02-01T00:00:00Z'), 100)
  const delays = runs.map(({ at, due_at }) => (due_at.getTime() - at.getTime()) / 1_000)
  for (const delay of delays) expect(delay >= 0 && delay < 600).toBe(true)
  expect([Math.min(...delays) < 60, Math.max(...delays) > 540]).toEqual([true, true])
  expect(new Set(delays).size).toBeGreaterThan(50)
  expect(occurrencesAfter(late, new Date('2026-02-01T00:00:00Z'), 100)).toEqual(runs)
})

test.each([
  ['2026-01-01T00:59:59Z', undefined, 0],
  ['2026-01-01T01:00:00Z', '2026-01-01T01:00', 0],
  ['2026-01-01T20:30:00Z', '2026-01-01T20:00', 19],
  ['2026-01-03T20:30:00Z', '2026-01-03T20:00', 67],
])('at %s the last hourly run is due and earlier ones are missed', (now, run, missed) => {
  const due = dueOccurrences(timing({ every: '1h' }), new Date('2026-01-01T00:00:00Z'), new Date(now))
  expect(due?.run?.at.toISOString().slice(0, 16)).toBe(run)
  expect(due?.missed.length ?? 0).toBe(missed)
})

test.each([
  { late: 'a day', now: '2026-01-09T00:00:00.000Z', run: ['2026-01-08'], missed: [] },
  { late: 'more than a day', now: '2026-01-09T00:00:00.001Z', run: [], missed: ['2026-01-08'] },
])('of a run that is $late late, $run is caught up, and $missed is missed', ({ now, run, missed }) => {
  const due = dueOccurrences(timing({ every: '7d' }), new Date('2026-01-01T00:00:00Z'), new Date(now))
  const days = (occurrences: { at: Date }[] = []) => occurrences.map(({ at }) => at.toISOString().slice(0, 10))
  expect([days(due?.run && [due.run]), days(due?.missed)]).toEqual([run, missed])
})

test('with evaluations at any times, each occurrence is run or missed exactly once', () => {
  const hourly = timing({ every: '1h' }, { jitter_seconds: 1_800 })
  const hours = occurrencesAfter(hourly, new Date('2026-01-01T00:00:00Z'), 2_000)
  const minutes = fc.array(fc.integer({ min: 1, max: 60 * 40 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(minutes, (waits) => {
      let watermark = new Date('2026-01-01T00:00:00Z')
      let now = watermark
      const seen: number[] = []
      for (const wait of waits) {
        now = new Date(now.getTime() + wait * 60_000)
        const due = dueOccurrences(hourly, watermark, now)
        if (!due) continue
        watermark = due.watermark
        seen.push(...[...due.missed, ...(due.run ? [due.run] : [])].map(({ at }) => at.getTime()))
      }
      expect(seen).toEqual(hours.map(({ at }) => at.getTime()).slice(0, seen.length))
    }),
    { numRuns: volume(15, 100) },
  )
})

test.each([
  [{ cron: '0 6 * * 1', timezone: 'Europe/Nicosia' }, undefined],
  [{ every: '12h' }, undefined],
  [{ every: '14m' }, ['every', 'between']],
  [{ every: '400d' }, ['every', 'between']],
  [{ every: 'daily' }, ['every', 'a number with m, h or d']],
  [{ cron: '0 0 6 * * 1', timezone: 'UTC' }, ['cron', 'five fields']],
  [{ cron: '61 * * * *', timezone: 'UTC' }, ['cron', 'five fields']],
  [{ cron: '0 6 * * *', timezone: 'CEST' }, ['timezone', 'Europe/Berlin']],
  [{ cron: 'daily', timezone: 'Mars/Base' }, ['timezone', 'Europe/Berlin']],
  [{ cron: '0 0 30 2 *', timezone: 'UTC' }, ['cron', 'never']],
  [{ cron: '*/5 * * * *', timezone: 'UTC' }, ['cron', '15 minutes']],
  [{ cron: '0,15,30,45 * * * *', timezone: 'UTC' }, undefined],
  [{ cron: '1 0 * * *', timezone: 'UTC' }, undefined], // a minute before its first run
  [{ cron: '50 23 * * *', timezone: 'UTC' }, undefined],
  [{ cron: '0,50 0,23 * * *', timezone: 'UTC' }, ['cron', '15 minutes']],
  [{ cron: '0 0 1 1 *', timezone: 'UTC' }, undefined],
  [{ cron: '0 0 31 12 *', timezone: 'UTC' }, undefined],
  [{ cron: '0 0 29 2 *', timezone: 'UTC' }, ['cron', 'once a year']],
  [{ cron: '0 0 29 2 +MON#5', timezone: 'Africa/Casablanca' }, ['cron', 'once a year']],
])('a schedule %j has the fault %j', (schedule, fault) => {
  const found = scheduleFault(schedule, new Date('2026-01-01T00:00:00Z'))
  const [field, part] = fault ?? []
  expect(found).toEqual(fault && { field, message: expect.stringContaining(part ?? '') })
})

test('every interval of the form in the API document is accepted, and its limits are the same', () => {
  const form = new RegExp(EVERY_PATTERN)
  fc.assert(fc.property(fc.stringMatching(form), (every) => scheduleFault({ every }, new Date(0)) === undefined))
  for (const every of ['15m', '99999m', '1h', '8784h', '1d', '366d']) expect(every).toMatch(form)
  for (const every of ['14m', '8785h', '0d', '367d', '015m', 'daily']) expect(every).not.toMatch(form)
})
