import { effectOf, type Row, VERDICTS, type Verdict } from '@placefleet/agent/maps/requests/verdicts'
import { afterAnswer, type ExitState, newExit, restAt } from '@placefleet/shared/exits/rules'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const LIMITS = { pace: { start: 20, most: 60 }, restMs: 1_800_000 }
const all = Object.keys(VERDICTS).filter((name): name is Verdict => name in VERDICTS)
const hears = (state: ExitState, verdict: Verdict, now = 0, isProxy = true): ExitState =>
  afterAnswer(state, effectOf(verdict), { startedAt: now, now, random: 1, isProxy }, LIMITS)
const often = (count: number, state: ExitState, verdict: Verdict): ExitState =>
  Array.from({ length: count }).reduce<ExitState>((before) => hears(before, verdict), state)

describe('each verdict', () => {
  const columns = ['rest', 'next', 'tries', 'task', 'outcome'] as const
  const said = (row: Row) => columns.map((column) => row[column] ?? '-').join(' ')
  test.each<[Verdict, string]>([
    ['whole', 'none done 1 goes_on -'],
    ['trimmed', 'none done 1 goes_on -'],
    ['doubtful_empty', 'none done 1 goes_on -'],
    ['agent_failed', 'none stop 1 ends -'],
    ['exit_refused', 'blocked exit 1 waits blocked'],
    ['consent', 'consent exit 1 waits consent'],
    ['needs_scripts', 'none scripts 1 waits blocked'],
    ['request_refused', 'none client 1 goes_on blocked'],
    ['unavailable', 'none client 3 ends_in_a_row broken'],
    ['layout', 'none client 1 goes_on broken'],
    ['not_found', 'none client 1 goes_on broken'],
    ['unknown', 'unknown client 2 waits blocked'],
    ['timeout', 'failed exit 3 ends_in_a_row timeout'],
    ['network', 'failed exit 3 ends_in_a_row timeout'],
    ['proxy_failed', 'failed exit 1 ends timeout'],
  ])('%s does: %s', (verdict, row) => {
    expect(said(VERDICTS[verdict])).toBe(row)
  })

  test('has a row that the test above names', () => {
    expect(all).toHaveLength(15)
  })
})

test('only what was parsed makes an exit faster, forgives a refusal or ends a rest', () => {
  const unparsed = all.filter((verdict) => verdict !== 'whole' && verdict !== 'trimmed')
  const property = fc.property(fc.array(fc.constantFrom(...unparsed), { maxLength: 300 }), (verdicts) => {
    let state = hears(often(25, newExit(LIMITS), 'whole'), 'exit_refused')
    for (const verdict of verdicts) {
      const next = hears(state, verdict, 10 * 3_600_000)
      expect(next.gapMs).toBeGreaterThanOrEqual(state.gapMs)
      expect(next.refusals).toBeGreaterThanOrEqual(state.refusals)
      expect(next.canaryDue).toBe(true)
      state = next
    }
    expect(state.clean).toBe(0)
  })
  fc.assert(property)
})

test('unknown answers keep the pace, and three without a whole one between them rest the exit', () => {
  const first = newExit(LIMITS)
  const two = often(2, first, 'unknown')
  expect(two.gapMs).toBe(first.gapMs)
  expect(restAt(two, 0)).toBeUndefined()
  expect(restAt(hears(two, 'unknown'), 0)).toEqual({ reason: 'unknown', from: 0, until: 300_000 })
  expect(restAt(hears(hears(two, 'whole'), 'unknown'), 0)).toBeUndefined()
})

test('answers that lack parts change nothing of an exit', () => {
  expect(often(100, newExit(LIMITS), 'trimmed')).toEqual(newExit(LIMITS))
})

test('after a rest for unknown answers each further one rests the exit again, and a whole one frees it', () => {
  const rested = often(3, newExit(LIMITS), 'unknown')
  expect(rested.canaryDue).toBe(true)
  expect(restAt(hears(rested, 'unknown', 400_000), 400_000)?.reason).toBe('unknown')
  expect(hears(rested, 'whole', 400_000)).toMatchObject({ rest: undefined, canaryDue: false, unknowns: 0 })
})

test('any answer of the site shows that a proxy works', () => {
  const failing = hears(newExit(LIMITS), 'network')
  expect(restAt(failing, 0)?.reason).toBe('failed')
  expect(hears(failing, 'not_found')).toMatchObject({ failures: 0, rest: undefined })
  expect(restAt(hears(newExit(LIMITS), 'network', 0, false), 0)).toBeUndefined()
})
