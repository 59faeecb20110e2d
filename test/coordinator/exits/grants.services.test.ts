import type { AgentAsk } from '@placefleet/coordinator/exits/decide'
import type { ExitDocument } from '@placefleet/coordinator/exits/documents'
import { createExitIds, exitsOf } from '@placefleet/coordinator/exits/documents'
import { createExitGrants, type ExitGrants } from '@placefleet/coordinator/exits/grants'
import { createExitStore, type ExitStore } from '@placefleet/coordinator/exits/store'
import type { AnswerEffect } from '@placefleet/shared/exits/rules'
import { newExit } from '@placefleet/shared/exits/rules'
import { monotonicNow } from '@placefleet/shared/timing'
import { expect, onTestFinished, test } from 'vitest'
import { capturedLog } from '../../harness/captured-log.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const ids = createExitIds(Buffer.alloc(32, 1))
const WHOLE: AnswerEffect = { pace: 'faster', rest: 'none' }
const REFUSED: AnswerEffect = { pace: 'same', rest: 'blocked' }

const store = createExitStore(db)

/** A coordinator, as far as it keeps exits. */
const coordinator = (log = capturedLog().log, gatherMs = 20, exits = store): ExitGrants =>
  createExitGrants({ store: exits, log, gatherMs, random: () => 0.5 })

/** Reads the database's clock without the wait for its answer, so that two coordinators convert turns alike. */
const exactClock: ExitStore = {
  ...store,
  read: async (exits) => ({ ...(await store.read(exits)), now: new Date(performance.timeOrigin + monotonicNow()) }),
}

/** So many turns are far more than a test takes. */
const AMPLE = 6_000

function ask(
  agent_id: string,
  waiting: number,
  verdict?: string,
  effect: AnswerEffect = WHOLE,
  perMinute = AMPLE,
): AgentAsk {
  const report = { ...effect, verdict: verdict ?? '', count: 1, startedAt: monotonicNow() }
  return {
    agent_id,
    limits: { pace: { start: perMinute, most: perMinute }, restMs: 60_000 },
    waiting,
    reports: verdict === undefined ? [] : [report],
    canaryEnded: false,
  }
}

test('no two agents of two coordinators get the same turn of an exit', async () => {
  const exit = ids.direct('shared by two coordinators')
  const both = [coordinator(undefined, 400, exactClock), coordinator(undefined, 400, exactClock)]
  const asking = Array.from({ length: 40 }, (_, nth) =>
    both[nth % 2]?.take(exit, ask(`agent ${nth % 5}`, 1, undefined, WHOLE, 600)),
  )
  const turns = (await Promise.all(asking)).flatMap((grant) => grant?.turns ?? []).toSorted((a, b) => a - b)
  expect(turns.length).toBeGreaterThan(2)
  const gaps = turns.slice(1).map((at, nth) => at - (turns[nth] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThan(95) // 100 ms, of clocks that are rounded to one
})

test('a coordinator that starts knows the rests of all exits', async () => {
  const exit = ids.direct('refused before a restart')
  const { rest } = await coordinator().take(exit, ask('one', 3, 'exit_refused', REFUSED))
  expect(rest?.reason).toBe('blocked')
  const after = await coordinator().take(exit, ask('two', 3))
  expect(after).toMatchObject({ turns: [], rest: { reason: 'blocked' } })
  expect(Math.abs((after.rest?.until ?? 0) - (rest?.until ?? 0))).toBeLessThan(1_000)
})

test('who follows an exit hears at once that it rests, and other exits go on', async () => {
  const grants = coordinator()
  const exit = ids.proxy('a'.repeat(64))
  const told: unknown[] = []
  const stop = grants.follow(exit.id, (grant) => told.push(grant))
  await grants.take(exit, ask('one', 1))
  expect(told).toEqual([])
  const both = [
    grants.take(exit, ask('one', 0, 'exit_refused', REFUSED)),
    grants.take(ids.direct('other'), ask('two', 1)),
  ]
  const [, other] = await Promise.all(both)
  expect(told).toMatchObject([{ turns: [], isFree: false, rest: { reason: 'blocked' } }])
  expect(other?.turns).toHaveLength(1)
  stop()
})

test('a changed rest is logged once, with its exit, why, and a time that is a time', async () => {
  const { log, lines } = capturedLog()
  const grants = coordinator(log)
  const exit = ids.direct('logged')
  for (let nth = 0; nth < 3; nth++) await grants.take(exit, ask('one', 0, 'whole'))
  await grants.take(exit, ask('one', 0, 'exit_refused', REFUSED))
  await grants.take(exit, ask('two', 2))
  const [line, ...others] = lines.map((text) => JSON.parse(text))
  expect(others).toEqual([])
  expect(line).toMatchObject({ exit: exit.id, name: 'logged', verdict: 'exit_refused', reason: 'blocked' })
  expect(Date.parse(line.until)).toBeGreaterThan(Date.now())
})

const DEMANDS_A_DAY: AnswerEffect = { ...REFUSED, retryAfterMs: 86_400_000 }

test('an agent rests an exit for a day only after it had a turn of it, and the exit knows which agent did', async () => {
  const grants = coordinator()
  const [doubted, believed] = [ids.direct('by a stranger'), ids.direct('by one that sent')]
  const hour = await grants.take(doubted, ask('hostile', 0, 'exit_refused', DEMANDS_A_DAY))
  expect((hour.rest?.until ?? 0) - monotonicNow()).toBeLessThanOrEqual(3_600_000)
  expect((await grants.take(believed, ask('honest', 1))).turns).toHaveLength(1)
  const day = await grants.take(believed, ask('honest', 0, 'exit_refused', DEMANDS_A_DAY))
  expect((day.rest?.until ?? 0) - monotonicNow()).toBeGreaterThan(86_000_000)
  await grants.take(believed, ask('another', 1))
  expect(await exitsOf(db).findOne({ _id: doubted.id })).toMatchObject({ rested_by: 'hostile' })
  expect(await exitsOf(db).findOne({ _id: believed.id })).toMatchObject({ rested_by: 'honest' })
})

test('who follows an exit hears that it was woken elsewhere, and nothing is read while no exit rests', async () => {
  let reads = 0
  const counting: ExitStore = { ...store, read: async (exits) => store.read(exits).finally(() => (reads += 1)) }
  const grants = coordinator(undefined, 20, counting)
  const exit = ids.direct('woken')
  const told: unknown[] = []
  onTestFinished(grants.follow(exit.id, (grant) => told.push(grant)))
  await grants.readRests()
  expect(reads).toBe(0)
  await grants.take(exit, ask('one', 0, 'exit_refused', REFUSED))
  await grants.readRests()
  expect([reads, told.length], 'nothing has changed').toEqual([2, 1])
  expect(await store.wake(exit.id)).toBe(true)
  await grants.readRests()
  expect(told[1]).toMatchObject({ rest: undefined, turns: [], isFree: false })
  await grants.readRests()
  expect([reads, told.length], 'it rests no more').toEqual([3, 2])
  expect(await grants.take(exit, ask('one', 5))).toMatchObject({ isCanary: true, turns: [expect.any(Number)] })
  expect(await exitsOf(db).findOne({ _id: exit.id })).not.toHaveProperty('rested_by')
})

test('rests that come and go are logged once a minute each way', async () => {
  const { log, lines } = capturedLog()
  const grants = coordinator(log)
  const exit = ids.direct('flapping')
  for (let nth = 0; nth < 5; nth++) {
    await grants.take(exit, ask('one', 0, 'exit_refused', REFUSED))
    await grants.take(exit, { ...ask('one', 0, 'exit_refused'), canaryEnded: true })
  }
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'an address or proxy pauses: it sends nothing until then',
    'an address or proxy pauses no more: the site answers it',
  ])
})

test('an exit is stored without the URL of its proxy, with counts of its verdicts', async () => {
  const grants = coordinator()
  const exit = ids.proxy('b'.repeat(64))
  await grants.take(exit, ask('one', 0, 'whole'))
  await grants.take(exit, ask('two', 0, 'trimmed'))
  const stored = await exitsOf(db).findOne({ _id: exit.id })
  expect(stored).toMatchObject({ kind: 'proxy', verdicts: { whole: 1, trimmed: 1 }, last_verdict: 'trimmed' })
  expect(stored?.users.map(({ agent_id }) => agent_id).toSorted()).toEqual(['one', 'two'])
  expect(JSON.stringify(stored)).not.toContain('b'.repeat(16))
})

const NOW = new Date('2026-03-02T09:00:00.000Z')

const exitAt = (_id: string, revision: string): ExitDocument => ({
  _id,
  kind: 'direct',
  state: newExit({ pace: undefined, restMs: 60_000 }),
  users: [],
  verdicts: {},
  counted_since: NOW,
  used_at: NOW,
  revision,
})

const revisionOf = async (_id: string) => (await store.read([_id])).exits.get(_id)?.revision

test('of two coordinators that create an exit only the first decides', async () => {
  const create = (revision: string) => store.write([{ next: exitAt('created', revision), replaces: undefined }], true)
  expect(await create('first')).toEqual(new Set(['created']))
  expect(await create('second')).toEqual(new Set())
  expect(await revisionOf('created')).toBe('first')
})

test('a decision holds only for the state that was read, and leaves the other exits of its write alone', async () => {
  const create = (_id: string) => ({ next: exitAt(_id, `${_id} 1`), replaces: undefined })
  await store.write([create('changed'), create('same')], true)
  await store.write([{ next: exitAt('changed', 'by another'), replaces: 'changed 1' }], true)
  const late = ['changed', 'same'].map((_id) => ({ next: exitAt(_id, `${_id} 2`), replaces: `${_id} 1` }))
  expect(await store.write(late, true)).toEqual(new Set(['same']))
  expect([await revisionOf('changed'), await revisionOf('same')]).toEqual(['by another', 'same 2'])
})
