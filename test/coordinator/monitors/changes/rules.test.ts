import {
  knowsArea,
  type Misses,
  missesAfter,
  missesBeforeProbe,
} from '@placefleet/coordinator/monitors/changes/detection'
import {
  assess,
  type Circumstances,
  type Finding,
  type WatchedPlace,
} from '@placefleet/coordinator/monitors/changes/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const circumstances: fc.Arbitrary<Circumstances> = fc.record({ knowsArea: fc.boolean(), whole: fc.boolean() })
const place: fc.Arbitrary<WatchedPlace> = fc.record(
  {
    state: fc.constantFrom('present', 'gone'),
    missed: fc.integer({ min: 1, max: 60 }),
    fields: fc.record({ title: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
  },
  { requiredKeys: ['state', 'fields'] },
)
const fields = fc.record(
  { title: fc.constantFrom('a', 'b', 'c'), closed: fc.constantFrom('permanently' as const, 'temporarily' as const) },
  { requiredKeys: [] },
)
const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.constantFrom<Finding>({ kind: 'absent' }, { kind: 'listed' }, { kind: 'vanished' }),
  fc.record({ kind: fc.constant('stored' as const), fields }),
)

/** The misses of a monitor after whole runs that each missed this share of its 1,000 places. */
function missesOf(share: number, runs: number): Misses | undefined {
  let misses: Misses | undefined
  for (let run = 1; run <= runs; run++) {
    misses = missesAfter(misses, { known: 1_000, before: run === 1 ? 0 : 1_000, missed: share * 1_000 })
  }
  return misses
}

describe('the examples of the formulas are right', () => {
  test.each([
    { share: 0.46, probesAfter: 5, knows: 16 },
    { share: 0.14, probesAfter: 2, knows: 7 },
    { share: 0.02, probesAfter: 2, knows: 4 },
    { share: 0, probesAfter: 2, knows: 3 },
  ])('of runs that miss the share $share of the places', ({ share, probesAfter, knows }) => {
    expect(missesBeforeProbe(missesOf(share, 3))).toBe(probesAfter)
    const runs = Array.from({ length: 30 }, (_, run) => run)
    expect(runs.find((run) => knowsArea(missesOf(share, run)))).toBe(knows)
  })
})

test('a monitor without a whole run looks at no place early, and reports none as new', () => {
  expect(missesBeforeProbe(undefined)).toBe(5)
  expect(knowsArea(undefined)).toBe(false)
  expect(knowsArea(missesAfter(undefined, { known: 3, before: 0, missed: 0 }))).toBe(false)
})

test('no place is gone because searches missed it, however often', () => {
  fc.assert(
    fc.property(place, fc.array(circumstances, { maxLength: 40 }), (given, all) => {
      let now = given
      for (const each of all) {
        const { place: next = now, change } = assess(now, { kind: 'absent' }, each)
        expect(change).toBeUndefined()
        expect(next.state).toBe(now.state)
        if (!each.whole) expect(next).toBe(now)
        now = next
      }
    }),
  )
})

test('a place is gone only if its page says so or a direct look does not find it, and back only if its page is open', () => {
  fc.assert(
    fc.property(fc.option(place, { nil: undefined }), finding, circumstances, (given, found, each) => {
      const { place: next, change } = assess(given, found, each)
      const looksGone = found.kind === 'vanished' || (found.kind === 'stored' && found.fields.closed === 'permanently')
      expect(change?.type === 'gone').toBe(given?.state === 'present' && looksGone)
      const isOpen = found.kind === 'stored' && found.fields.closed !== 'permanently'
      expect(change?.type === 'back').toBe(given?.state === 'gone' && isOpen)
      expect(change?.type === 'new').toBe(given === undefined && isOpen && each.knowsArea)
      if (given?.state === 'present' && !looksGone) expect(next?.state).toBe('present')
    }),
  )
})

test('a place that is found as before needs no write', () => {
  const known: WatchedPlace = { state: 'present', fields: { title: 'a' } }
  const each = { knowsArea: true, whole: true }
  expect(assess(known, { kind: 'listed' }, each).place).toBe(known)
  expect(assess(known, { kind: 'stored', fields: { title: 'a' } }, each).place).toBe(known)
  const missed = assess(known, { kind: 'absent' }, each).place
  expect(missed).toEqual({ ...known, missed: 1 })
  expect(assess(missed, { kind: 'listed' }, each).place).toEqual(known)
})

test('a field counts as removed after two runs without it, not after one', () => {
  const each = { knowsArea: true, whole: true }
  const stored = (phone?: string): Finding => ({
    kind: 'stored',
    fields: { title: 'a', ...(phone !== undefined && { phone }) },
  })
  const known: WatchedPlace = { state: 'present', fields: { title: 'a', phone: '1' } }
  const once = assess(known, stored(), each)
  expect(once.change).toBeUndefined()
  const shown = assess(once.place, stored('1'), each)
  expect(shown.change).toBeUndefined()
  expect(shown.place).toEqual(known)
  expect(assess(once.place, stored('2'), each).change).toEqual({
    type: 'changed',
    fields: { phone: { before: '1', after: '2' } },
  })
  expect(assess(once.place, stored(), each).change).toEqual({
    type: 'changed',
    fields: { phone: { before: '1', after: undefined } },
  })
})

test('closing is a change of its own: for a time it is a changed field, for good it is the reason why a place is gone', () => {
  const each = { knowsArea: true, whole: true }
  const stored = (closed?: 'permanently' | 'temporarily'): Finding => ({
    kind: 'stored',
    fields: { title: 'a', ...(closed && { closed }) },
  })
  const known: WatchedPlace = { state: 'present', fields: { title: 'a' } }
  const forATime = assess(known, stored('temporarily'), each)
  const toTemporarily = { closed: { before: undefined, after: 'temporarily' } }
  expect(forATime.change).toEqual({ type: 'changed', fields: toTemporarily })
  const forGood = assess(forATime.place, stored('permanently'), each)
  const toPermanently = { closed: { before: 'temporarily', after: 'permanently' } }
  expect(forGood).toMatchObject({ place: { state: 'gone' }, change: { type: 'gone', fields: toPermanently } })
  const reopened = assess(forGood.place, stored(), each)
  const toOpen = { closed: { before: 'permanently', after: undefined } }
  expect(reopened).toMatchObject({ place: { state: 'present' }, change: { type: 'back', fields: toOpen } })
  const vanished = assess(known, { kind: 'vanished' }, each)
  expect(vanished.change).toEqual({ type: 'gone' })
  expect(assess(vanished.place, stored(), each).change).toEqual({ type: 'back' })
})
