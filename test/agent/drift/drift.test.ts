import { createDrift, WINDOW } from '@placefleet/agent/drift/drift'
import {
  INLINE_REVIEW_PATHS,
  LISTED_REVIEW_PATHS,
  PLACE_PATHS,
  SEARCH_PATHS,
  type WatchedPath,
} from '@placefleet/agent/drift/watched-paths'
import { MAX_DRIFTED, MAX_DRIFTED_TEXT } from '@placefleet/shared/protocol'
import type { Review } from '@placefleet/shared/review'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'

const WHOLE: Record<string, unknown> = {
  ...Object.fromEntries(PLACE_PATHS.map(({ field }) => [field, 'x'])),
  user_reviews: [],
}
const without = (...fields: string[]) =>
  Object.fromEntries(Object.entries(WHOLE).filter(([name]) => !fields.includes(name)))

function startDrift() {
  const lines: string[] = []
  const alarms: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  return { drift: createDrift(log, (path) => alarms.push(path)), lines, alarms }
}

test('no alarm before a whole window of places', () => {
  const { drift } = startDrift()
  for (let nth = 1; nth < WINDOW; nth++) drift.collected({})
  expect(drift.drifted()).toEqual([])
  drift.collected({})
  expect(drift.drifted()).toHaveLength(MAX_DRIFTED)
})

test('a path drifts exactly when fewer places than its least share have it, in any order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: WINDOW }), fc.integer({ min: 0, max: WINDOW }), (titles, phones) => {
      const { drift } = startDrift()
      for (let nth = 0; nth < WINDOW; nth++) {
        drift.collected(without(...(nth < titles ? [] : ['title']), ...(WINDOW - nth <= phones ? [] : ['phone'])))
      }
      expect(drift.drifted()).toEqual([
        ...(titles < 90 ? ['place[6][11]'] : []),
        ...(phones < 2 ? ['place[6][178][0][0]'] : []),
      ])
    }),
    { numRuns: 40 },
  )
})

test('the alarm names the path in the log and the metrics, once a window, and ends when the path is back', () => {
  const { drift, lines, alarms } = startDrift()
  for (let nth = 0; nth < 2 * WINDOW; nth++) drift.collected(without('open_hours'))
  expect(drift.drifted()).toEqual(['place[6][203][0]'])
  for (let nth = 0; nth < 2 * WINDOW; nth++) drift.collected(WHOLE)
  expect(drift.drifted()).toEqual([])
  expect(alarms).toEqual(['place[6][203][0]', 'place[6][203][0]'])
  expect(lines[0]).toContain('"path":"place[6][203][0]"')
})

test('places of searches have their own paths', () => {
  const { drift } = startDrift()
  drift.listed(Array(WINDOW).fill(without('website')))
  expect(drift.drifted()).toEqual(['search[0][1][i][14][7][0]'])
})

test('a report takes the name of every path', () => {
  for (const { path } of [...PLACE_PATHS, ...SEARCH_PATHS, ...INLINE_REVIEW_PATHS, ...LISTED_REVIEW_PATHS])
    expect(path.length).toBeLessThanOrEqual(MAX_DRIFTED_TEXT)
})

const REVIEW: Review = { id: '1', author: 'Ada', rating: 5, text: 'Good', published_at: '2026-01-01T00:00:00.000Z' }
const reviewWithout = (field: 'author' | 'rating' | 'text' | 'published_at') => {
  const { [field]: _gone, ...changed } = REVIEW
  return changed
}

test.each(['author', 'rating', 'text', 'published_at'] as const)(
  'reviews without %s raise the alarm, each source apart',
  (field) => {
    const { drift } = startDrift()
    const pathOf = (paths: readonly WatchedPath<Review>[]) => paths.find((watched) => watched.field === field)?.path
    for (let nth = 0; nth < WINDOW; nth++) drift.collected({ ...WHOLE, user_reviews: [reviewWithout(field)] })
    expect(drift.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS)])
    drift.reviewed(Array(WINDOW).fill(reviewWithout(field)))
    expect(drift.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS), pathOf(LISTED_REVIEW_PATHS)])
    drift.reviewed(Array(WINDOW).fill(REVIEW))
    expect(drift.drifted()).toEqual([pathOf(INLINE_REVIEW_PATHS)])
  },
)

test.each([
  ['author', 50],
  ['rating', 50],
  ['text', 2],
  ['published_at', 50],
] as const)('%s of a hundred reviews may be missing while %i have it', (field, least) => {
  const { drift } = startDrift()
  const reviews = (whole: number) => [...Array(whole).fill(REVIEW), ...Array(WINDOW - whole).fill(reviewWithout(field))]
  drift.reviewed(reviews(least))
  expect(drift.drifted()).toEqual([])
  drift.reviewed(reviews(least - 1))
  expect(drift.drifted()).toHaveLength(1)
})
