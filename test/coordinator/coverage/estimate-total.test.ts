import { estimateTotal, unsearchedPlaces } from '@placefleet/coordinator/coverage/estimate-total'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** How many answers found a place of the job, and how unlike the places are (standard deviation of the log-odds). */
type City = { cells: number; places: number; audited: number; answers: number; unlike: number; blocked?: number }

/** Each answer of the site leaves out so many places at random, as measured. */
const MISSING = 0.46

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1)

const randomOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Searches a city, audits some of its cells, and compares the estimate with the truth. */
function audit(seed: number, { cells, places, audited, answers, unlike, blocked = 0 }: City) {
  const random = randomOf(seed * 7_919)
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  const found = new Set<string>()
  const samples: { before: string[]; shifted: string[]; reworded: string[] }[] = []
  const searched = Array.from({ length: cells }, (_, nth) => {
    const bounds = { south: 0, north: 0.01, west: nth * 0.01, east: (nth + 1) * 0.01 }
    const isBlocked = nth >= cells - blocked
    const here = Array.from({ length: Math.round(places * (0.3 + 1.4 * random())) }, (_, place) => {
      const odds = Math.log((1 - MISSING) / MISSING) + unlike * normal()
      return { key: `${nth} ${place}`, chance: 1 / (1 + Math.exp(-odds)) }
    })
    const look = (times: number) =>
      here
        .filter(({ chance }) => Array.from({ length: times }, random).some((roll) => roll < chance))
        .map(({ key }) => key)
    const before = isBlocked ? [] : look(answers)
    const sample = nth < audited ? { before, shifted: look(1), reworded: look(1) } : undefined
    if (sample) samples.push(sample)
    for (const key of [...before, ...(sample?.shifted ?? []), ...(sample?.reworded ?? [])]) found.add(key)
    const state = isBlocked ? ('blocked' as const) : ('searched' as const)
    return { keyword: 'cafe', bounds, state, places: before.length, truth: here.length }
  })
  const truth = searched.reduce((sum, cell) => sum + cell.truth, 0)
  const estimate = estimateTotal(samples, unsearchedPlaces(searched), found.size) ?? expect.fail('no estimate')
  return { truth, ...estimate }
}

const ALIKE = { cells: 30, places: 40, audited: 8, answers: 3, unlike: 0 }

describe('an interval covers the truth in 93 of 100 cities at least', () => {
  test.each([
    { city: ALIKE, name: 'with 46 % of the places missing from each answer' },
    { city: { ...ALIKE, answers: 1 }, name: 'whose places were looked for once only' },
    { city: { ...ALIKE, cells: 8, places: 20 }, name: 'that are small' },
    { city: { ...ALIKE, unlike: 1 }, name: 'where some places are harder to find than others' },
    { city: { ...ALIKE, unlike: 2 }, name: 'where some places are hardly ever found' },
    { city: { ...ALIKE, blocked: 3 }, name: 'of which a tenth was blocked' },
  ])(`$name, of ${SEEDS.length} that are audited`, ({ city }) => {
    const covered = SEEDS.filter((seed) => {
      const { truth, low, high } = audit(seed, city)
      return truth >= Math.floor(low) && truth <= Math.ceil(high)
    })
    expect(covered.length).toBeGreaterThanOrEqual(0.93 * SEEDS.length)
  })
})

test('an interval is wider where less is known: places unlike one another, or cells blocked', () => {
  const width = (city: City) => {
    const widths = SEEDS.slice(0, 21).map((seed) => {
      const { truth, low, high } = audit(seed, city)
      return (high - low) / truth
    })
    return widths.sort((one, other) => one - other)[10] ?? expect.fail('no width')
  }
  const alike = width(ALIKE)
  expect(alike).toBeLessThan(0.12)
  expect(width({ ...ALIKE, unlike: 2 })).toBeGreaterThan(2 * alike)
  expect(width({ ...ALIKE, blocked: 3 })).toBeGreaterThan(alike + 0.1)
})

test('without an answer to the audit, or without a place that it could find again, there is no estimate', () => {
  expect(estimateTotal([], unsearchedPlaces([]), 10)).toBeUndefined()
  expect(estimateTotal([{ before: ['a'] }], unsearchedPlaces([]), 10)).toBeUndefined()
  expect(estimateTotal([{ before: [], shifted: [], reworded: [] }], unsearchedPlaces([]), 10)).toBeUndefined()
  expect(estimateTotal([{ before: [], shifted: [], reworded: [] }], unsearchedPlaces([]), 0)).toMatchObject({
    total: 0,
    low: 0,
  })
})

test('no estimate is below the places found or outside of its interval', () => {
  const keys = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String))
  const cells = fc.array(fc.record({ before: keys, shifted: keys, reworded: keys }), { maxLength: 6 })
  fc.assert(
    fc.property(cells, fc.nat(500), (audited, more) => {
      const listed = new Set(audited.flatMap(({ before, shifted, reworded }) => [...before, ...shifted, ...reworded]))
      const estimate = estimateTotal(audited, unsearchedPlaces([]), listed.size + more)
      if (!estimate) return
      const { total, low, high } = estimate
      expect(low).toBeGreaterThanOrEqual(listed.size + more)
      expect(total).toBeGreaterThanOrEqual(low)
      expect(high).toBeGreaterThanOrEqual(total)
    }),
  )
})
