import { createUnsearched, estimateTotal } from '@placefleet/coordinator/coverage/estimate-total'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { volume } from '../../harness/volume.ts'
import { randomOf } from './simulated-area.ts'

/**
 * A city: the answers that the job's places come from, the share of its places that each answer omits at random, and
 * how much the log-odds of that differ between places and between cells (standard deviations).
 */
type City = {
  cells: number
  places: number
  audited: number
  answers: number
  omitted: number
  unlike?: number
  uneven?: number
  blocked?: number
}

const SEEDS = Array.from({ length: 200 }, (_, index) => index + 1)

/** Searches a city, audits some of its cells, and compares the estimate with the truth. */
function audit(seed: number, { cells, places, audited, answers, omitted, unlike = 0, uneven = 0, blocked = 0 }: City) {
  const random = randomOf(seed * 7_919)
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random())
  const found = new Set<string>()
  const samples: { before: string[]; shifted: string[]; reworded: string[] }[] = []
  const searched = Array.from({ length: cells }, (_, nth) => {
    const bounds = { south: 0, north: 0.01, west: nth * 0.01, east: (nth + 1) * 0.01 }
    const isBlocked = nth >= cells - blocked
    const ofCell = Math.log((1 - omitted) / omitted) + (uneven > 0 ? uneven * normal() : 0)
    const here = Array.from({ length: Math.round(places * (0.3 + 1.4 * random())) }, (_, place) => {
      return { key: `${nth} ${place}`, chance: 1 / (1 + Math.exp(-ofCell - unlike * normal())) }
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
  const unsearched = createUnsearched()
  for (const cell of searched) unsearched.add(cell)
  const estimate = estimateTotal(samples, unsearched.places(), found.size) ?? expect.fail('no estimate')
  return { truth, ...estimate }
}

/** As measured: four runs showed 54 % of the places that they showed together. */
const ALIKE: City = { cells: 30, places: 40, audited: 8, answers: 3, omitted: 0.46 }
const ONE_CELL: City = { ...ALIKE, cells: 1, audited: 1 }

describe('an interval covers the truth in 93 of 100 cities at least', () => {
  const cities = [
    { city: ALIKE, name: 'with 46 % of the places missing from each answer' },
    { city: { ...ALIKE, answers: 1 }, name: 'whose places were looked for once only' },
    { city: { ...ALIKE, cells: 8, places: 20 }, name: 'that are small' },
    { city: { ...ALIKE, unlike: 1 }, name: 'where some places are harder to find than others' },
    { city: { ...ALIKE, unlike: 2 }, name: 'where some places are hardly ever found' },
    { city: { ...ALIKE, uneven: 1 }, name: 'where some parts show more of their places than others' },
    { city: { ...ALIKE, blocked: 3 }, name: 'of which a tenth was blocked' },
    { city: { ...ONE_CELL, unlike: 1 }, name: 'of one cell' },
    { city: { ...ALIKE, cells: 3, audited: 3, unlike: 1 }, name: 'of three cells' },
    { city: { ...ALIKE, answers: 1, unlike: 2 }, name: 'where one search hardly ever finds some places' },
    { city: { ...ALIKE, answers: 1, omitted: 0.14 }, name: 'with 14 % of the places missing from each answer' },
    { city: { ...ALIKE, answers: 1, omitted: 0.05, unlike: 1 }, name: 'where few places are missing' },
    { city: { ...ALIKE, cells: 300, audited: 15, answers: 1, unlike: 1 }, name: 'that are large' },
  ]
  test.each(cities.slice(0, volume(9, cities.length)))(`$name, of ${SEEDS.length} that are audited`, ({ city }) => {
    const covered = SEEDS.filter((seed) => {
      const { truth, low, high } = audit(seed, city)
      return truth >= Math.floor(low) && truth <= Math.ceil(high)
    })
    expect(covered.length).toBeGreaterThanOrEqual(0.93 * SEEDS.length)
  })
})

test('an interval is wider where less is known: places unlike one another, or cells blocked', () => {
  const width = (city: City) => {
    const widths = SEEDS.map((seed) => {
      const { truth, low, high } = audit(seed, city)
      return (high - low) / truth
    })
    return widths.sort((one, other) => one - other)[SEEDS.length / 2] ?? expect.fail('no width')
  }
  const alike = width(ALIKE)
  expect(alike).toBeLessThan(0.12)
  expect(width({ ...ALIKE, unlike: 2 })).toBeGreaterThan(2 * alike)
  expect(width({ ...ALIKE, blocked: 3 })).toBeGreaterThan(alike + 0.1)
})

test('an interval is narrow where the audit finds next to nothing new', () => {
  const widths = SEEDS.slice(0, 21).map((seed) => {
    const { truth, low, high } = audit(seed, { ...ALIKE, answers: 2, omitted: 0.001 })
    return (high - low) / truth
  })
  expect(Math.max(...widths)).toBeLessThan(0.05)
})

/** A cell with so many places for each group of searches: the job, then the two of the audit. */
function cellOf(groups: Record<string, number>) {
  const places = Object.entries(groups).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, nth) => ({ group, key: `${group} ${nth}` })),
  )
  const found = (nth: number) => places.filter(({ group }) => group[nth] === '1').map(({ key }) => key)
  return { before: found(0), shifted: found(1), reworded: found(2) }
}

const NONE = createUnsearched().places()

test('the example of the formulas is right', () => {
  const cell = cellOf({ '111': 50, '110': 20, '101': 15, '100': 10, '011': 6, '010': 4, '001': 3 })
  const { total, low, high } = estimateTotal([cell], NONE, 108) ?? expect.fail('no estimate')
  expect(total).toBeCloseTo(108 + (51 * 11 * 4 * 3) / (21 * 16 * 7), 6)
  expect([total.toFixed(1), low.toFixed(1), high.toFixed(1)]).toEqual(['110.9', '108.0', '134.0'])
})

test('two searches give the estimate of Chapman, with one more place that only the job found', () => {
  const { before, shifted } = cellOf({ '110': 50, '100': 49, '010': 30 })
  expect(estimateTotal([{ before, shifted }], NONE, 129)?.total).toBeCloseTo(129 + (50 * 30) / 51, 6)
})

test('a cell with one answer less than the others is left out of the sample', () => {
  const cell = cellOf({ '111': 50, '110': 20, '101': 15, '100': 10, '011': 6, '010': 4, '001': 3 })
  const { before, shifted } = cellOf({ '110': 5, '100': 80 })
  const both = estimateTotal([cell, { before, shifted }], NONE, 108)
  expect(both).toEqual(estimateTotal([cell], NONE, 108))
})

test('without an answer to the audit, or without a place that it could find again, there is no estimate', () => {
  expect(estimateTotal([], NONE, 10)).toBeUndefined()
  expect(estimateTotal([{ before: ['a'] }], NONE, 10)).toBeUndefined()
  expect(estimateTotal([{ before: [], shifted: [], reworded: [] }], NONE, 10)).toBeUndefined()
  expect(estimateTotal([{ before: [], shifted: [], reworded: [] }], NONE, 0)).toMatchObject({
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
      const estimate = estimateTotal(audited, NONE, listed.size + more)
      if (!estimate) return
      const { total, low, high } = estimate
      expect(low).toBeGreaterThanOrEqual(listed.size + more)
      expect(total).toBeGreaterThanOrEqual(low)
      expect(high).toBeGreaterThanOrEqual(total)
    }),
  )
})
