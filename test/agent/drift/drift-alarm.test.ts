import { createDriftAlarm, drifted, NO_RATES, WINDOW, withItem } from '@placefleet/agent/drift/drift-alarm'
import {
  INLINE_REVIEW_PATHS,
  LISTED_REVIEW_PATHS,
  PLACE_PATHS,
  type WatchedPath,
} from '@placefleet/agent/drift/watched-paths'
import type { Place } from '@placefleet/shared/place'
import type { Review } from '@placefleet/shared/review'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'

const WATCHED: readonly WatchedPath[] = [
  { field: 'title', path: '[11]', least: 0.9 },
  { field: 'phone', path: '[178]', least: 0.02 },
]
const bare = (fields: Partial<Place>): Partial<Place> => fields
const rated = (places: readonly Partial<Place>[]) =>
  places.reduce((rates, place) => withItem(rates, place, WATCHED), NO_RATES)
const pathsOf = (places: readonly Partial<Place>[]) => drifted(rated(places), WATCHED).map(({ path }) => path)

test('no alarm before a whole window of places', () => {
  expect(pathsOf(Array(WINDOW - 1).fill({}))).toEqual([])
  expect(pathsOf(Array(WINDOW).fill({}))).toEqual(['[11]', '[178]'])
})

test('a path drifts exactly when fewer places than its least share have it, in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: WINDOW }), fc.integer({ min: 0, max: WINDOW }), (titles, phones) => {
      const places = Array.from({ length: WINDOW }, (_, nth) =>
        bare({ ...(nth < titles ? { title: 'x' } : {}), ...(WINDOW - nth <= phones ? { phone: '1' } : {}) }),
      )
      const wanted = [...(titles < 90 ? ['[11]'] : []), ...(phones < 2 ? ['[178]'] : [])]
      expect(pathsOf(places)).toEqual(wanted)
    }),
  )
})

test('the alarm names the path in the log and the metrics, once a window, and ends when the path is back', () => {
  const lines: string[] = []
  const told: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const alarm = createDriftAlarm(log, (path) => told.push(path))
  const whole: Record<string, unknown> = {
    ...Object.fromEntries(PLACE_PATHS.map(({ field }) => [field, 'x'])),
    user_reviews: [],
  }
  const { open_hours: _gone, ...changed } = whole
  for (let nth = 0; nth < 2 * WINDOW; nth++) alarm.collected(changed)
  expect(alarm.drifted()).toEqual(['place[6][203][0]'])
  for (let nth = 0; nth < 2 * WINDOW; nth++) alarm.collected(whole)
  expect(alarm.drifted()).toEqual([])
  expect(told).toEqual(['place[6][203][0]', 'place[6][203][0]'])
  expect(lines[0]).toContain('"path":"place[6][203][0]"')
})

const REVIEW: Review = { id: '1', author: 'Ada', rating: 5, text: 'Good', published_at: '2026-01-01T00:00:00.000Z' }

test.each(['author', 'rating', 'text', 'published_at'] as const)(
  'reviews without %s raise the alarm, each source apart',
  (field) => {
    const alarm = createDriftAlarm(pino({ level: 'silent' }), () => undefined)
    const { [field]: _gone, ...changed } = REVIEW
    const whole = { ...Object.fromEntries(PLACE_PATHS.map((watched) => [watched.field, 'x'])), user_reviews: [changed] }
    const pathOf = (paths: readonly WatchedPath<Review>[]) => paths.find((watched) => watched.field === field)?.path
    for (let nth = 0; nth < WINDOW; nth++) alarm.collected(whole)
    expect(alarm.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS)])
    alarm.reviewed(Array(WINDOW).fill(changed))
    expect(alarm.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS), pathOf(LISTED_REVIEW_PATHS)])
    alarm.reviewed(Array(WINDOW).fill(REVIEW))
    expect(alarm.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS)])
  },
)

test.each([
  ['author', 50],
  ['rating', 50],
  ['text', 2],
  ['published_at', 50],
] as const)('%s of a hundred reviews may be missing while %i have it', (field, least) => {
  const alarm = createDriftAlarm(pino({ level: 'silent' }), () => undefined)
  const { [field]: _gone, ...changed } = REVIEW
  const reviews = (whole: number) => [...Array(whole).fill(REVIEW), ...Array(WINDOW - whole).fill(changed)]
  alarm.reviewed(reviews(least))
  expect(alarm.drifted()).toEqual([])
  alarm.reviewed(reviews(least - 1))
  expect(alarm.drifted()).toHaveLength(1)
})
