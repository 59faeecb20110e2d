import { effectOf, type Verdict } from '@placefleet/agent/maps/requests/verdicts'
import type { SiteOptions } from '@placefleet/deploy/simulation/map-site/options'
import { afterAnswer, newExit } from '@placefleet/shared/exits/rules'
import { expect, test } from 'vitest'
import { collecting, mapSite, taskOf } from './collecting.ts'

const LIMITS = { pace: { start: 20, most: 60 }, restMs: 1_000 }

/** The gap of an exit after these answers, all of which began after its last rest. */
const gapAfter = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce(
    (state, verdict, now) =>
      afterAnswer(state, effectOf(verdict), { startedAt: now, now, random: 1, isProxy: false }, LIMITS),
    newExit(LIMITS),
  ).gapMs

const first = newExit(LIMITS).gapMs

async function collectPlaces(
  count: number,
  options: Partial<SiteOptions>,
  parameters: { max_reviews?: number; max_images?: number },
) {
  const site = await mapSite(options)
  const verdicts: Verdict[] = []
  const { run } = collecting({
    mapsBaseUrl: site.url,
    rung: 'http',
    onVerdict: (verdict) => void verdicts.push(verdict),
  })
  const references = Array.from({ length: count }, (_, index) => ({ place_key: site.city.place(index).place_key }))
  const { places, end } = await run(taskOf({ kind: 'collect', references }, { parameters }))
  return { site, places, end, verdicts }
}

test('when the site begins to strip its answers, no place is stored as whole that is not, and the exit keeps its pace', async () => {
  const site = await mapSite()
  const verdicts: Verdict[] = []
  const strip = () =>
    fetch(new URL('/__sim/options', site.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ trimShares: { withNid: 1, withoutNid: 1 } }),
    })
  const onVerdict = (verdict: Verdict) => {
    verdicts.push(verdict)
    if (verdicts.length === 30) void strip()
  }
  const { run } = collecting({ mapsBaseUrl: site.url, rung: 'http', onVerdict })
  const indexes = Array.from({ length: 60 }, (_, index) => index)
  const references = indexes.map((index) => ({ place_key: site.city.place(index).place_key }))
  const { places, end } = await run(taskOf({ kind: 'collect', references }))
  expect(places).toHaveLength(60)
  const truths = new Map(indexes.map((index) => [site.city.place(index).place_key, site.city.place(index)]))
  const lacking = places.filter(
    ({ place_key, review_count }) => truths.get(place_key)?.review_count !== undefined && review_count === undefined,
  )
  expect(lacking.length).toBeGreaterThan(20)
  for (const { limited } of lacking) expect(limited).toContain('details')
  expect(end.outcomes.limited).toBe(places.filter(({ limited }) => limited).length)
  expect(gapAfter(verdicts)).toBeLessThanOrEqual(first)
})

test.each<[string, Partial<SiteOptions>, { max_reviews?: number; max_images?: number }, string]>([
  ['photos, which plain HTTP cannot ask for', {}, { max_images: 50 }, 'images'],
  ['reviews that the site refuses to everybody', { localBoq: 'forbidden' }, { max_reviews: 50 }, 'reviews'],
  ['lists of reviews that the site cuts', { reviewsCut: 8 }, { max_reviews: 50 }, 'reviews'],
])('%s never change the pace of the exit, and the place says what is missing', async (_, options, parameters, part) => {
  const { places, verdicts } = await collectPlaces(20, options, parameters)
  expect(places).toHaveLength(20)
  expect(places.some(({ limited }) => limited?.join() === part)).toBe(true)
  expect(gapAfter(verdicts)).toBeLessThanOrEqual(first)
})
