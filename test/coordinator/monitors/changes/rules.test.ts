import {
  chanceOfMissing,
  expectedUnseen,
  type History,
  priorOf,
  SUSPICIOUS,
  UNKNOWN,
} from '@placefleet/coordinator/monitors/changes/detection'
import {
  assess,
  type Circumstances,
  type Finding,
  type WatchedPlace,
} from '@placefleet/coordinator/monitors/changes/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const runs = fc.integer({ min: 0, max: 60 })
const history: fc.Arbitrary<History> = fc.record({ found: runs, missed: runs })
const prior = fc.array(history, { maxLength: 30 }).map(priorOf)
const circumstances: fc.Arbitrary<Circumstances> = fc.record({ prior, knowsArea: fc.boolean(), whole: fc.boolean() })
const place: fc.Arbitrary<WatchedPlace> = fc.record({
  found: runs,
  missed: runs,
  streak: runs,
  state: fc.constantFrom('present', 'gone'),
  facts: fc.record({ title: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
})
const facts = fc.record({ title: fc.constantFrom('a', 'b', 'c') }, { requiredKeys: [] })
const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.constant<Finding>({ kind: 'absent' }),
  fc.constant<Finding>({ kind: 'listed' }),
  fc.record({ kind: fc.constant('stored' as const), facts, closed: fc.boolean() }),
  fc.record(
    { kind: fc.constant('looked' as const), facts, closed: fc.boolean() },
    { requiredKeys: ['kind', 'closed'] },
  ),
)

test('the chance of missing a place falls with each run, and with each time that it was found', () => {
  fc.assert(
    fc.property(history, runs, prior, (one, count, given) => {
      const chance = chanceOfMissing(one, count, given)
      expect(chance).toBeGreaterThanOrEqual(0)
      expect(chance).toBeLessThanOrEqual(1)
      expect(chanceOfMissing(one, count + 1, given)).toBeLessThanOrEqual(chance)
      expect(chanceOfMissing({ ...one, found: one.found + 1 }, count, given)).toBeLessThanOrEqual(chance)
    }),
  )
})

test('similar places give a strong prior at their mean, different ones a weak prior', () => {
  const alike = priorOf(Array.from({ length: 200 }, (_, n) => ({ found: 10 + (n % 3), missed: 10 - (n % 3) })))
  expect(alike.found / (alike.found + alike.missed)).toBeCloseTo(0.55, 1)
  expect(alike.found + alike.missed).toBeGreaterThan(100)
  const unlike = priorOf(
    [...Array(50)].flatMap(() => [
      { found: 20, missed: 0 },
      { found: 0, missed: 20 },
    ]),
  )
  expect(unlike.found + unlike.missed).toBeLessThan(5)
  expect(priorOf([])).toEqual(UNKNOWN)
})

test('equal histories may be counted instead of listed', () => {
  fc.assert(
    fc.property(fc.array(history, { maxLength: 10 }), fc.integer({ min: 2, max: 9 }), (some, places) => {
      const [counted, listed] = [
        some.map((one) => ({ ...one, places })),
        some.flatMap((one) => Array(places).fill(one)),
      ]
      const [one, other] = [priorOf(counted), priorOf(listed)]
      expect(one.found).toBeCloseTo(other.found, 6)
      expect(one.missed).toBeCloseTo(other.missed, 6)
      expect(expectedUnseen(counted, 3, one)).toBeCloseTo(expectedUnseen(listed, 3, one), 6)
    }),
  )
})

test('the fewer runs there were, the more places are unseen', () => {
  const histories = Array.from({ length: 1_000 }, () => ({ found: 5, missed: 5 }))
  const unseen = [2, 5, 10, 20].map((count) => expectedUnseen(histories, count, priorOf(histories)))
  expect(unseen).toEqual(unseen.toSorted((one, other) => other - one))
  expect(unseen[0]).toBeGreaterThan(200)
  expect(unseen[3]).toBeLessThan(1)
})

test('no place is gone because searches missed it, however often', () => {
  fc.assert(
    fc.property(place, fc.array(circumstances, { maxLength: 40 }), (given, all) => {
      let now = given
      for (const each of all) {
        const { place: next = now, change } = assess(now, { kind: 'absent' }, each)
        expect(change).toBeUndefined()
        expect(next.state).toBe(now.state)
        if (next.suspect && !now.suspect) {
          expect(chanceOfMissing(next, next.streak, each.prior)).toBeLessThan(SUSPICIOUS)
        }
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
      const looksGone =
        (found.kind === 'looked' && (!found.facts || found.closed)) || (found.kind === 'stored' && found.closed)
      expect(change?.type === 'gone').toBe(given?.state === 'present' && looksGone)
      const isOpen = found.kind === 'stored' && !found.closed
      expect(change?.type === 'back').toBe(given?.state === 'gone' && isOpen)
      expect(change?.type === 'new').toBe(given === undefined && isOpen && each.knowsArea)
      if (given?.state === 'present' && !looksGone) expect(next?.state).toBe('present')
    }),
  )
})

test('a field counts as removed after two runs without it, not after one', () => {
  const each = { prior: UNKNOWN, knowsArea: true, whole: true }
  const stored = (phone?: string): Finding => ({
    ...{ kind: 'stored', closed: false },
    facts: { title: 'a', ...(phone !== undefined && { phone }) },
  })
  const known: WatchedPlace = { state: 'present', found: 3, missed: 0, streak: 0, facts: { title: 'a', phone: '1' } }
  const once = assess(known, stored(), each)
  expect(once.change).toBeUndefined()
  expect(assess(once.place, stored('1'), each).change).toBeUndefined()
  expect(assess(once.place, stored('2'), each).change).toEqual({
    type: 'changed',
    fields: { phone: { before: '1', after: '2' } },
  })
  expect(assess(once.place, stored(), each).change).toEqual({
    type: 'changed',
    fields: { phone: { before: '1', after: undefined } },
  })
})
