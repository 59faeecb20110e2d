import {
  type AnswerEffect,
  type ExitLimits,
  type ExitState,
  mostCareful,
  newExit,
} from '@placefleet/shared/exits/rules'
import { type Ask, answerAsks, type Grant, MOST_REPORTS } from '@placefleet/shared/exits/turns'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const LIMITS: ExitLimits = { pace: { start: 60, most: 60 }, restMs: 1_800_000 }
const UNPACED: ExitLimits = { restMs: 1_800_000 }
const AHEAD_MS = 4_000
const DAY_MS = 24 * 3_600_000
const WHOLE: AnswerEffect = { pace: 'faster', rest: 'none' }
const REFUSED: AnswerEffect = { pace: 'same', rest: 'blocked' }

const ask = (waiting: number, ...effects: AnswerEffect[]): Ask => ({
  waiting,
  reports: effects.map((effect) => ({ ...effect, startedAt: Number.POSITIVE_INFINITY, count: 1 })),
  canaryEnded: effects.length > 0,
  hadTurns: true,
})

/** Answers asks one after another, and keeps the state. */
function keeper(limits: ExitLimits = LIMITS, random = 0.5) {
  let state: ExitState = newExit(limits)
  return (now: number, ...asks: Ask[]): Grant[] => {
    const moment = { now, aheadMs: AHEAD_MS, random: () => random, isProxy: false }
    const answered = answerAsks(state, asks, limits, moment)
    state = answered.state
    return answered.grants
  }
}

const turnsOf = (grants: Grant[]) => grants.map(({ turns }) => turns)

describe('turns of one exit', () => {
  test('go to all who want some, one after another, and reach a few seconds ahead', () => {
    const answer = keeper()
    expect(turnsOf(answer(0, ask(10), ask(1), ask(10)))).toEqual([[0, 3_000], [1_000], [2_000, 4_000]])
    expect(turnsOf(answer(1_000, ask(10), ask(10)))).toEqual([[5_000], []])
  })

  test('are not needed without a pace, except for the canary', () => {
    const answer = keeper(UNPACED)
    expect(answer(0, ask(3))).toMatchObject([{ isFree: true, turns: [] }])
    expect(answer(1, ask(0, REFUSED))).toMatchObject([{ isFree: false, rest: { reason: 'blocked' } }])
    const later = 1 + LIMITS.restMs
    expect(answer(later, ask(5), ask(5))).toMatchObject([
      { turns: [later], isCanary: true, isFree: false },
      { turns: [], isCanary: false },
    ])
    expect(answer(later + 5, ask(0, WHOLE), ask(5))).toMatchObject([{ isFree: true }, { isFree: true }])
  })

  test('stop for all with the refusal of one', () => {
    const answer = keeper()
    const [one, other] = answer(0, ask(2, REFUSED), ask(2))
    expect(turnsOf([one, other].flatMap((grant) => grant ?? []))).toEqual([[], []])
    expect(other?.rest).toMatchObject({ reason: 'blocked', from: 0 })
  })

  test('go on after two minutes when the agent of a canary has died', () => {
    const answer = keeper()
    answer(0, ask(0, REFUSED))
    const rested = LIMITS.restMs
    expect(turnsOf(answer(rested, ask(1), ask(1))).flat()).toEqual([rested])
    expect(turnsOf(answer(rested + 119_000, ask(1)))).toEqual([[]])
    expect(turnsOf(answer(rested + 120_000, ask(1)))).toEqual([[rested + 120_000]])
  })

  test('wait for another canary when one was not answered', () => {
    const answer = keeper()
    answer(0, ask(0, REFUSED))
    answer(LIMITS.restMs, ask(1))
    const unused = { ...ask(0), canaryEnded: true }
    expect(answer(LIMITS.restMs + 10_000, unused, ask(4))).toMatchObject([{}, { isCanary: true }])
  })
})

test.each([
  [1, 1, 1],
  [1, 50, 50],
  [1, 51, 50],
  [2, 1_000_000, 50],
  [50, 1_000_000, 50],
])('of $0 reports of $1 answers each, $2 answers count, and each report at least once', (reports, count, counted) => {
  let heard = 0
  const random = () => {
    heard += 1
    return 0.5
  }
  const report = { ...WHOLE, count, startedAt: 0 }
  const loud = { ...ask(0), reports: [...Array.from({ length: reports - 1 }, () => report), { ...report, ...REFUSED }] }
  const { state } = answerAsks(newExit(LIMITS), [loud], LIMITS, { now: 0, aheadMs: AHEAD_MS, random, isProxy: false })
  expect(heard).toBe(counted)
  expect(state.rest, 'the last report is a refusal').toMatchObject({ reason: 'blocked' })
  expect(MOST_REPORTS).toBe(50)
})

const HOUR_MS = 3_600_000
const demanding = (retryAfterMs: number, hadTurns: boolean): Ask => ({
  ...ask(0, { ...REFUSED, retryAfterMs }),
  hadTurns,
})

test.each([
  [HOUR_MS, false, HOUR_MS, 0],
  [HOUR_MS + 1, false, HOUR_MS, 0],
  [DAY_MS, false, HOUR_MS, 0],
  [HOUR_MS + 1, true, HOUR_MS + 1, 1],
  [DAY_MS, true, DAY_MS, 1],
])(
  'a refusal that demands $0 ms, of an agent that had turns: $1, rests the exit for $2 ms',
  (ms, had, until, score) => {
    const moment = { now: 0, aheadMs: AHEAD_MS, random: () => 0.5, isProxy: false }
    const { state, restedBy } = answerAsks(newExit(LIMITS), [ask(0), demanding(ms, had)], LIMITS, moment)
    expect(state.rest).toMatchObject({ reason: 'blocked', until })
    expect([state.refusals, restedBy]).toEqual([score, 1])
  },
)

test('who had no turns neither shortens a rest nor brings more than an hour by many refusals', () => {
  const moment = { now: 0, aheadMs: AHEAD_MS, random: () => 0.5, isProxy: false }
  const { state } = answerAsks(newExit(LIMITS), [demanding(DAY_MS, true), demanding(0, false)], LIMITS, moment)
  expect(state.rest?.until).toBe(DAY_MS)
  const many = { ...ask(0, ...Array.from({ length: 50 }, () => REFUSED)), hadTurns: false }
  expect(answerAsks(newExit(LIMITS), [many], LIMITS, moment).state).toMatchObject({
    rest: { until: HOUR_MS },
    refusals: 0,
  })
})

test('the most careful limits of those who share an exit hold for all', () => {
  const fast = { pace: { start: 60, most: 120 }, restMs: 1 }
  const slow = { pace: { start: 90, most: 90 }, restMs: 5 }
  expect(mostCareful([fast, slow, UNPACED])).toEqual({ pace: { start: 60, most: 90 }, restMs: LIMITS.restMs })
  expect(mostCareful([UNPACED])).toEqual(UNPACED)
})

test('however many ask, and whatever they hear, turns of an exit keep half its shortest gap, and none lies in a rest', () => {
  const effect: fc.Arbitrary<AnswerEffect> = fc.record({
    pace: fc.constantFrom('faster', 'same'),
    rest: fc.constantFrom('none', 'none', 'none', 'blocked', 'consent', 'unknown'),
  })
  const step = fc.record({
    wait: fc.integer({ min: 0, max: 600_000 }),
    asks: fc.array(fc.tuple(fc.nat(20), fc.array(effect, { maxLength: 3 })), { minLength: 1, maxLength: 5 }),
  })
  const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    const answer = keeper(LIMITS, 0)
    let now = 0
    const given: number[] = []
    for (const { wait, asks } of steps) {
      now += wait
      const grants = answer(now, ...asks.map(([waiting, effects]) => ask(waiting, ...effects)))
      const turns = grants.flatMap((grant) => grant.turns)
      const rest = grants[0]?.rest
      if (rest) expect(turns).toEqual([])
      expect(grants.filter(({ isCanary }) => isCanary).length).toBeLessThanOrEqual(1)
      given.push(...turns)
    }
    const inOrder = given.toSorted((a, b) => a - b)
    for (const [nth, at] of inOrder.entries()) {
      if (nth > 0) expect(at - (inOrder[nth - 1] ?? 0)).toBeGreaterThanOrEqual(500)
    }
  })
  fc.assert(property)
})
