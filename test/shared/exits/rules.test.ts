import {
  type AnswerEffect,
  afterAnswer,
  answered,
  consentRefused,
  type ExitState,
  failed,
  newExit,
  refused,
  restAt,
  stoppingRest,
  takeTurn,
  under,
  unknown,
} from '@placefleet/shared/exits/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const LIMITS = { pace: { start: 20, most: 60 }, restMs: 1_800_000 }
const HOUR = 3_600_000
const times = (count: number, state: ExitState, step: (state: ExitState) => ExitState): ExitState =>
  Array.from({ length: count }).reduce<ExitState>(step, state)
const refusedAt = (state: ExitState, now: number, random = 1) => refused(state, { startedAt: now, now }, LIMITS, random)

describe('the pace of an exit', () => {
  test('begins at 20 requests a minute, with gaps that vary by half', () => {
    const gaps = [0, 0.5, 1].map((random) => takeTurn(newExit(LIMITS), 1_000, random).state.nextAt - 1_000)
    expect(gaps).toEqual([1_500, 3_000, 4_500])
  })

  test('is never skipped: a request waits for the turn after the previous one', () => {
    const first = takeTurn(newExit(LIMITS), 0, 0.5)
    expect(first.startAt).toBe(0)
    expect(takeTurn(first.state, 10, 0.5).startAt).toBe(3_000)
  })

  test('rises by a tenth with 20 clean answers, up to 60 requests a minute', () => {
    const faster = times(20, newExit(LIMITS), (state) => answered(state, LIMITS))
    expect(faster.gapMs).toBe(2_700)
    expect(times(1_000, faster, (state) => answered(state, LIMITS)).gapMs).toBe(1_000)
  })

  test.each([
    ['stays between the slowest and the fastest of new limits', 2_000, { start: 20, most: 60 }, 2_000],
    ['is no faster than new limits allow', 500, { start: 20, most: 60 }, 1_000],
    ['is no slower than a twentieth of the first pace of new limits', 60_000, { start: 60, most: 60 }, 20_000],
    ['begins at the first pace of limits that come later', 0, { start: 20, most: 60 }, 3_000],
    ['ends with the limits', 3_000, undefined, 0],
  ])('under other limits %s', (_, gapMs, pace, expected) => {
    const before = { ...newExit(LIMITS), gapMs, refusals: 1 }
    expect(under(before, { pace, restMs: 1 })).toEqual({ ...before, gapMs: expected })
  })

  test('does not exist where the site is simulated', () => {
    const limits = { ...LIMITS, pace: undefined }
    const state = times(50, newExit(limits), (before) => answered(before, limits))
    expect(takeTurn(state, 7, 1).state.nextAt).toBe(7)
  })
})

describe('a refused exit', () => {
  test('rests half an hour, twice as long each time, a day at most, and returns at half its pace', () => {
    const rests = [0, 1, 2, 3, 4, 5, 6, 7].map((before) => {
      const state = refusedAt(
        times(before, newExit(LIMITS), (one) => refusedAt(one, 0)),
        0,
      )
      return (restAt(state, 0)?.until ?? 0) / HOUR
    })
    expect(rests).toEqual([0.5, 1, 2, 4, 8, 16, 24, 24])
    expect(refusedAt(newExit(LIMITS), 0).gapMs).toBe(6_000)
    expect(refusedAt(refusedAt(newExit(LIMITS), 0), HOUR).gapMs).toBe(6_000) // a refused canary is of the same block
  })

  test('keeps at least a twentieth of its first pace after any number of blocks', () => {
    const limits = { ...LIMITS, pace: { start: 1_200, most: 1_200 } }
    const block = (state: ExitState) => answered(refused(state, { startedAt: 0, now: 0 }, limits, 1), limits)
    expect(times(20, newExit(limits), block).gapMs).toBe(1_000)
  })

  test('rests up to half as long at random, so that exits do not return in step', () => {
    expect(restAt(refusedAt(newExit(LIMITS), 0, 0), 0)?.until).toBe(900_000)
  })

  test('rests as long as the site says, when that is longer', () => {
    const state = refused(newExit(LIMITS), { startedAt: 0, now: 0, retryAfterMs: 5 * HOUR }, LIMITS, 1)
    expect(restAt(state, 0)?.until).toBe(5 * HOUR)
  })

  test('rests a day at most, whatever the site says', () => {
    const state = refused(newExit(LIMITS), { startedAt: 0, now: 0, retryAfterMs: 365 * 24 * HOUR }, LIMITS, 1)
    expect(restAt(state, 0)?.until).toBe(24 * HOUR)
  })

  test('is not punished twice for requests that were under way', () => {
    const resting = refusedAt(newExit(LIMITS), 100)
    expect(refused(resting, { startedAt: 50, now: 200 }, LIMITS, 1)).toBe(resting)
  })

  test('returns by the answer to a request that began with its rest, and by none from before', () => {
    const resting = refusedAt(newExit(LIMITS), 100)
    const answerTo = (startedAt: number) =>
      afterAnswer(resting, { pace: 'faster', rest: 'none' }, { startedAt, now: 200, random: 1, isProxy: false }, LIMITS)
    expect(answerTo(99)).toBe(resting)
    expect(answerTo(100).rest).toBeUndefined()
  })

  test('is free after its rest, and sends only a canary until it is answered', () => {
    const resting = refusedAt(newExit(LIMITS), 0)
    expect(restAt(resting, 1_800_000)).toBeUndefined()
    expect(resting.canaryDue).toBe(true)
    expect(answered(resting, LIMITS).canaryDue).toBe(false)
  })

  test('is forgiven slowly: two answers for each refusal', () => {
    const twice = times(2, newExit(LIMITS), (state) => refusedAt(state, 0))
    expect(times(3, twice, (state) => answered(state, LIMITS)).refusals).toBe(0.5)
    expect(times(9, twice, (state) => answered(state, LIMITS)).refusals).toBe(0)
  })

  test.each([
    { answers: 0, hours: 1 },
    { answers: 1, hours: 0.5 },
    { answers: 2, hours: 0.5 },
  ])('rests $hours h the next time after $answers answers: half a point of the score lengthens no rest', (row) => {
    const before = times(row.answers, refusedAt(newExit(LIMITS), 0), (state) => answered(state, LIMITS))
    expect(restAt(refusedAt(before, 0), 0)?.until).toBe(row.hours * HOUR)
  })
})

describe('the answer to a request', () => {
  const TWICE_UNKNOWN = { ...newExit(LIMITS), failures: 2, unknowns: 2, clean: 5 }
  const after = (effect: Partial<AnswerEffect>, isProxy = true) => {
    const at = { startedAt: 0, now: 0, random: 0, isProxy }
    return afterAnswer(TWICE_UNKNOWN, { pace: 'same', rest: 'none', ...effect }, at, LIMITS)
  }

  test.each<[AnswerEffect['rest'], Partial<ExitState>]>([
    ['none', { failures: 0, unknowns: 2, clean: 5, refusals: 0, rest: undefined }],
    ['blocked', { refusals: 1, clean: 0, canaryDue: true, rest: { reason: 'blocked', from: 0, until: 900_000 } }],
    ['consent', { failures: 0, clean: 0, canaryDue: false, rest: { reason: 'consent', from: 0, until: 60_000 } }],
    ['unknown', { unknowns: 3, clean: 0, canaryDue: true, rest: { reason: 'unknown', from: 0, until: 60_000 } }],
    ['failed', { failures: 3, clean: 5, canaryDue: false, rest: { reason: 'failed', from: 0, until: 120_000 } }],
  ])('has the effect of its kind on the exit: %s', (rest, expected) => {
    expect(after({ rest })).toMatchObject(expected)
  })

  test('of the site counts for the pace only when it is whole', () => {
    expect(after({ pace: 'faster' })).toMatchObject({ clean: 6, unknowns: 0 })
    expect(after({ pace: 'same' })).toMatchObject({ clean: 5, unknowns: 2 })
  })

  test('that does not come is the fault of a proxy, and of no exit without one', () => {
    expect(after({ rest: 'failed' }, false)).toBe(TWICE_UNKNOWN)
  })

  test('ends the rest of a proxy that failed, and no other rest unless it is whole', () => {
    const at = { startedAt: 1, now: 1, random: 0, isProxy: true }
    const answer = (state: ExitState) => afterAnswer(state, { pace: 'same', rest: 'none' }, at, LIMITS).rest
    expect(answer(failed(newExit(LIMITS), 0))).toBeUndefined()
    expect(answer(consentRefused(newExit(LIMITS), 0, LIMITS, 0))).toMatchObject({ reason: 'consent' })
  })

  test('that nobody recognises rests the exit when it is the third in a row', () => {
    const second = unknown({ ...TWICE_UNKNOWN, unknowns: 1 }, 0, LIMITS, 0)
    expect(second).toMatchObject({ unknowns: 2, clean: 5, canaryDue: false })
    expect(second.rest).toBeUndefined()
  })
})

test('a failed proxy may be used while it rests, every other rest stops requests', () => {
  const rest = { from: 0, until: 1 }
  expect(stoppingRest({ reason: 'failed', ...rest })).toBeUndefined()
  expect(stoppingRest({ reason: 'blocked', ...rest })).toEqual({ reason: 'blocked', ...rest })
  expect(stoppingRest(undefined)).toBeUndefined()
})

test('an exit behind the consent form rests for one to five minutes', () => {
  const untils = [0, 1].map((random) => restAt(consentRefused(newExit(LIMITS), 0, LIMITS, random), 0)?.until)
  expect(untils).toEqual([60_000, 300_000])
})

test('a failing proxy rests longer each time, at most ten minutes', () => {
  const rests = [0, 1, 2, 3, 4, 5].map((before) =>
    restAt(
      times(before + 1, newExit(LIMITS), (s) => failed(s, 0)),
      0,
    ),
  )
  expect(rests.map((rest) => rest?.until)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000])
})

test('for every history the gap stays between one second and one minute, and no rest exceeds a day', () => {
  const events: fc.Arbitrary<(state: ExitState) => ExitState> = fc.constantFrom(
    (state) => answered(state, LIMITS),
    (state) => unknown(state, 0, LIMITS, 1),
    (state) => refusedAt(state, 0),
    (state) => failed(state, 0),
    (state) => consentRefused(state, 0, LIMITS, 1),
  )
  const property = fc.property(fc.array(events, { maxLength: 200 }), (happened) => {
    const state = happened.reduce((before, event) => event(before), newExit(LIMITS))
    expect(state.gapMs).toBeGreaterThanOrEqual(1_000)
    expect(state.gapMs).toBeLessThanOrEqual(60_000)
    expect(restAt(state, 0)?.until ?? 0).toBeLessThanOrEqual(24 * HOUR)
  })
  fc.assert(property)
})
