import type { ExitDocument } from '@placefleet/coordinator/exits/documents'
import { paceOf } from '@placefleet/coordinator/exits/paces'
import { type ExitLimits, type ExitState, newExit } from '@placefleet/shared/exits/rules'
import { expect, test } from 'vitest'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const inSeconds = (seconds: number) => NOW.getTime() + seconds * 1_000

const PACED: ExitLimits = { pace: { start: 20, most: 60 }, restMs: 1_800_000 }
const UNPACED: ExitLimits = { ...PACED, pace: undefined }

/** An exit that agents with these limits share. */
function exitOf(limits: readonly ExitLimits[], state: Partial<ExitState> = {}): ExitDocument {
  const users = limits.map((own, nth) => ({ agent_id: `agent-${nth}`, limits: own, seen_at: NOW, served_at: NOW }))
  return {
    _id: 'exit',
    kind: 'direct',
    state: { ...newExit(limits[0] ?? PACED), ...state },
    users,
    verdicts: {},
    counted_since: NOW,
    used_at: NOW,
    revision: 'first',
  }
}

test.each<[what: string, exit: ExitDocument | undefined, pace: { first: number; most: number; rest: number }]>([
  ['was not used lately begins as a new one', undefined, { first: 20, most: 60, rest: 0 }],
  ['is new begins at its first pace', exitOf([PACED]), { first: 20, most: 60, rest: 0 }],
  [
    'has become faster begins at the pace it has now',
    exitOf([PACED], { gapMs: 1_500 }),
    { first: 40, most: 60, rest: 0 },
  ],
  [
    'a careful agent shares goes no faster than that agent',
    exitOf([PACED, { ...PACED, pace: { start: 10, most: 30 } }], { gapMs: 1_500 }),
    { first: 30, most: 30, rest: 0 },
  ],
  ['has no pace is limited by the machine', exitOf([UNPACED], { gapMs: 0 }), { first: 600, most: 600, rest: 0 }],
  [
    'rests waits for the rest of its rest',
    exitOf([PACED], { rest: { reason: 'blocked', from: inSeconds(-10), until: inSeconds(90) } }),
    { first: 20, most: 60, rest: 90 },
  ],
  [
    'has rested does not wait',
    exitOf([PACED], { rest: { reason: 'blocked', from: inSeconds(-90), until: inSeconds(-1) } }),
    { first: 20, most: 60, rest: 0 },
  ],
  [
    'failed as a proxy is used nevertheless',
    exitOf([PACED], { rest: { reason: 'failed', from: inSeconds(-10), until: inSeconds(90) } }),
    { first: 20, most: 60, rest: 0 },
  ],
])('an exit that %s', (_, exit, pace) => {
  expect(paceOf(exit, NOW)).toEqual(pace)
})
