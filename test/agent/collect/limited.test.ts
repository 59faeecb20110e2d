import { WINDOW } from '@placefleet/agent/drift/drift'
import { effectOf, type Verdict } from '@placefleet/agent/maps/requests/verdicts'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { afterAnswer, newExit } from '@placefleet/shared/exits/rules'
import type { TaskParameters } from '@placefleet/shared/protocol'
import { expect, test } from 'vitest'
import { onSite, placesWithReviews } from './collecting.ts'

const LIMITS = { pace: { start: 20, most: 60 }, restMs: 1_000 }
const TRIMMED = { trimShares: { withNid: 1, withoutNid: 1 } }

/** The gap of an exit after these answers, all of which began after its last rest. */
const gapAfter = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce(
    (state, verdict, now) =>
      afterAnswer(state, effectOf(verdict), { startedAt: now, now, random: 1, isProxy: false }, LIMITS),
    newExit(LIMITS),
  ).gapMs

const first = newExit(LIMITS).gapMs
const places = (count: number) => Array.from({ length: count }, (_, index) => index)

test('when the site begins to strip its answers, no place is stored as whole that is not, and the exit keeps its pace', async () => {
  const verdicts: Verdict[] = []
  const { site, city, collect } = await onSite(
    {},
    { onVerdict: (verdict) => void (verdicts.push(verdict) === 30 && site.setOptions(TRIMMED)) },
  )
  const found = await collect(places(60))
  expect(found.places).toHaveLength(60)
  const lacking = found.places.filter(({ place_key, review_count }) => {
    return city.place(city.indexOf(place_key) ?? -1).review_count !== undefined && review_count === undefined
  })
  expect(lacking.length).toBeGreaterThan(20)
  for (const { limited } of lacking) expect(limited).toContain('details')
  expect(found.end.outcomes.limited).toBe(found.places.filter(({ limited }) => limited).length)
  expect(gapAfter(verdicts)).toBeLessThanOrEqual(first)
})

test.each<[string, Partial<SiteOptions>, Partial<TaskParameters>, string]>([
  ['photos, which plain HTTP cannot ask for', {}, { max_images: 50 }, 'images'],
  ['reviews that the site refuses to everybody', { localBoq: 'forbidden' }, { max_reviews: 50 }, 'reviews'],
  ['lists of reviews that the site cuts', { reviewsCut: 8 }, { max_reviews: 50 }, 'reviews'],
])('%s never change the pace of the exit, and the place says what is missing', async (_, options, parameters, part) => {
  const verdicts: Verdict[] = []
  const { collect } = await onSite(options, { onVerdict: (verdict) => void verdicts.push(verdict) })
  const found = await collect(places(20), parameters)
  expect(found.places).toHaveLength(20)
  expect(found.places.some(({ limited }) => limited?.join() === part)).toBe(true)
  expect(gapAfter(verdicts)).toBeLessThanOrEqual(first)
})

test('an exit that gets trimmed answers only is no sign of a new layout', async () => {
  const { city, collector, collect } = await onSite(TRIMMED)
  const found = await collect(placesWithReviews(city, 1, 1_000_000, WINDOW))
  expect(found.places).toHaveLength(WINDOW)
  expect(found.end.outcomes.limited).toBe(WINDOW)
  expect(collector.drifted()).toEqual([])
})
