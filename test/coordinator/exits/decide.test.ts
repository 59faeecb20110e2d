import { type AgentAsk, decide, ratePerMinute, usersAt } from '@placefleet/coordinator/exits/decide'
import type { ExitDocument } from '@placefleet/coordinator/exits/documents'
import { newExit } from '@placefleet/shared/exits/rules'
import { expect, test } from 'vitest'

const NOW = new Date('2026-01-02T00:00:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const limits = { pace: { start: 60, most: 60 }, restMs: 60_000 }
const EXIT = { id: 'exit', kind: 'proxy' as const }

const ask = (agent_id: string, more: Partial<AgentAsk> = {}): AgentAsk => ({
  agent_id,
  limits,
  waiting: 1,
  canaryEnded: false,
  reports: [],
  ...more,
})
const report = (verdict: string, count = 1) =>
  ({ verdict, pace: 'same', rest: 'none', startedAt: NOW.getTime(), count }) as const

/** An exit that was used a minute ago. */
const before = (more: Partial<ExitDocument> = {}): ExitDocument => ({
  _id: 'exit',
  kind: 'proxy',
  state: newExit(limits),
  users: [],
  verdicts: {},
  counted_since: ago(60_000),
  used_at: ago(60_000),
  revision: 'before',
  ...more,
})
const user = (agent_id: string, seen_at: Date, served_at = new Date(0)) => ({ agent_id, limits, seen_at, served_at })
const decided = (document: ExitDocument | undefined, ...asks: [AgentAsk, ...AgentAsk[]]) =>
  decide(EXIT, document, asks, { now: NOW, aheadMs: 0, random: () => 0.5 })

test('an agent shares an exit for ten minutes after it asked', () => {
  const users = [user('just', ago(599_999)), user('gone', ago(600_000))]
  const { next } = decided(before({ users }), ask('new'))
  expect(next.users.map(({ agent_id }) => agent_id)).toEqual(['new', 'just'])
  expect(usersAt(before({ users }), NOW)).toEqual(['just'])
})

test('an exit knows its 1,000 latest users', () => {
  const users = Array.from({ length: 1_000 }, (_, nth) => user(`agent ${nth}`, ago(nth + 1)))
  const { next } = decided(before({ users }), ask('new'))
  expect(next.users).toHaveLength(1_000)
  expect([next.users[0]?.agent_id, next.users.at(-1)?.agent_id]).toEqual(['new', 'agent 998'])
})

test('the agent that was served longest ago has the next turn, in whatever order they ask', () => {
  const users = [user('late', ago(1_000), ago(1_000)), user('early', ago(2_000), ago(2_000))]
  const { grants, next } = decided(before({ users }), ask('late'), ask('early'))
  expect(grants.map(({ turns }) => turns.length)).toEqual([0, 1])
  expect(next.users.map(({ agent_id, served_at }) => [agent_id, served_at])).toEqual([
    ['late', ago(1_000)],
    ['early', NOW],
  ])
})

test('the most careful limits of the agents hold for all', () => {
  const careful = { pace: { start: 6, most: 6 }, restMs: 60_000 }
  const users = [{ ...user('careful', ago(1_000)), limits: careful }]
  const { next } = decided(before({ users }), ask('quick'))
  expect(ratePerMinute(next.state)).toBe(6)
})

test('verdicts are counted for a day, and then from the beginning', () => {
  const verdicts = { whole: 3 }
  const counted = (counted_since: Date) =>
    decided(before({ verdicts, counted_since }), ask('a', { reports: [report('whole', 2), report('captcha')] })).next
  expect(counted(ago(86_400_000))).toMatchObject({ verdicts: { whole: 5, captcha: 1 }, last_verdict: 'captcha' })
  expect(counted(ago(86_400_001))).toMatchObject({ verdicts: { whole: 2, captcha: 1 }, counted_since: NOW })
  expect(decided(before({ last_verdict: 'captcha' }), ask('a')).next.last_verdict).toBe('captcha')
})

test('an exit counts 50 different verdicts, of which it goes on to count each', () => {
  const verdicts = Object.fromEntries(Array.from({ length: 49 }, (_, nth) => [`v${nth}`, 1]))
  const { next } = decided(before({ verdicts }), ask('a', { reports: [report('one'), report('more'), report('v0')] }))
  expect(Object.keys(next.verdicts)).toHaveLength(50)
  expect(next.verdicts).toMatchObject({ one: 1, v0: 2 })
  expect(next.verdicts).not.toHaveProperty('more')
})

test('the agent whose report brought a rest is kept while it lasts', () => {
  const refused = { verdict: 'captcha', pace: 'same', rest: 'blocked', startedAt: NOW.getTime(), count: 1 } as const
  const resting = decided(
    before({ users: [user('a', ago(1), ago(1))] }),
    ask('b'),
    ask('a', { reports: [refused] }),
  ).next
  expect(resting).toMatchObject({ rested_by: 'a', state: { rest: { reason: expect.any(String) } } })
  expect(decided(resting, ask('b')).next.rested_by).toBe('a')
  expect(decided(before(), ask('b')).next).not.toHaveProperty('rested_by')
})

test.each([
  [0, 0],
  [1_000, 60],
  [7_000, 8.6],
  [60_000, 1],
])('a gap of $0 ms is a rate of $1 a minute', (gapMs, rate) => {
  expect(ratePerMinute({ ...newExit(limits), gapMs })).toBe(rate)
})
