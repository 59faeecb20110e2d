import { markPaid } from '@placefleet/coordinator/accounts/store'
import { ledgerEntries } from '@placefleet/coordinator/billing/ledger/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Db } from 'mongodb'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Answer } from '../harness/coordinator/call-api.ts'
import { addCredits, addUser, type Caller } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { sendRaw } from '../harness/network/raw-http.ts'
import { volume } from '../harness/volume.ts'
import { ask, JOB } from './api-world.ts'
import { expectSoundLedger } from './ledger-check.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const world = await startWorld(afterAll)
/** Who pays may have one job here. */
const env = { MAX_CONCURRENT_JOBS_FREE: '1000', MAX_CONCURRENT_JOBS_PAID: '1' }
const { url } = await addCoordinator(world, env)
const shared = { world, db: world.db, url, env }

/** Returns a new caller on the file's own coordinator. */
const visit = async () => ({ ...shared, caller: await addUser(shared.db) })

const create = (url: string, { key }: Pick<Caller, 'key'>, idempotencyKey: string, body: object = JOB) =>
  ask(url, 'POST', '/api/v1/jobs', { key, body, headers: { 'idempotency-key': idempotencyKey } })
const idOf = ({ body }: Answer) => (body as { id: string }).id
const errorOf = ({ body }: Answer) => (body as { error?: string }).error
const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed')

/** Returns how many jobs and how many holds a user has, whether or not they can be seen. */
async function countOf(db: Db, user_id: string) {
  const jobs = await jobsOf(db).countDocuments({ user_id })
  const holds = await ledgerEntries(db).countDocuments({ user_id, type: 'hold' })
  return { jobs, holds }
}

test('100 identical requests at once over two coordinators make one job and one hold, again and again', async () => {
  const { world, db, url, env } = shared
  const second = await addCoordinator(world, env)
  for (let round = 0; round < volume(1, 10); round++) {
    const caller = await addUser(db)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => create(turn % 2 === 0 ? url : second.url, caller, 'the same')),
    )
    const created = answers.filter(({ status }) => status === 201)
    expect(new Set(created.map(idOf)).size).toBe(1)
    expect(created.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, errorOf(answer)]).toEqual([409, 'idempotency_key_in_use'])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect(await countOf(db, caller.user_id)).toEqual({ jobs: 1, holds: 1 })
    const again = await create(second.url, caller, 'the same')
    expect([again.status, replayed(again), idOf(again)]).toEqual([201, 'true', created[0] && idOf(created[0])])
  }
  await expectSoundLedger(db)
})

test('a replay is the same answer, status and Location with it', async () => {
  const { url, caller } = await visit()
  const first = await create(url, caller, 'k')
  const second = await create(url, caller, 'k')
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect([replayed(first), replayed(second)]).toEqual([null, 'true'])
})

const full = { name: 'a', keywords: ['b', 'c'], language: 'en', max_results: 5, lat: '1', lon: '2' }
const reordered = { lon: '2', lat: '1', max_results: 5, language: 'en', keywords: ['b', 'c'], name: 'a' }

test.each([
  ['with its members in another order', JSON.stringify(reordered), true],
  ['with a number written otherwise', JSON.stringify(full).replace('"max_results":5', '"max_results":5.0'), true],
  ['with a member twice, of which the last counts', JSON.stringify(full).replace('{', '{"name":"z",'), true],
  ['with other keywords', JSON.stringify({ ...full, keywords: ['b', 'd'] }), false],
  ['with one more field', JSON.stringify({ ...full, depth: 6 }), false],
  ['with a default written out', JSON.stringify({ ...full, depth: 5 }), false],
  ['with proxies', JSON.stringify({ ...full, proxies: ['http://93.184.216.34:8080'] }), false],
])('a body %s', async (_what, rawBody, same) => {
  const { url, caller, db } = await visit()
  const first = await create(url, caller, 'k', full)
  const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
  const second = await ask(url, 'POST', '/api/v1/jobs', { key: caller.key, rawBody, headers })
  if (same) expect([second.status, idOf(second)]).toEqual([201, idOf(first)])
  else {
    expect([second.status, errorOf(second)]).toEqual([409, 'idempotency_key_in_use_with_different_body'])
    expect(second.headers.get('retry-after')).toBeNull()
  }
  expect(await countOf(db, caller.user_id)).toEqual({ jobs: 1, holds: 1 })
})

test('two users may use one key, and a key of one user holds over all their API keys', async () => {
  const { url, caller, db } = await visit()
  const other = await addUser(db)
  const made = await create(url, caller, 'k')
  expect(idOf(await create(url, other, 'k'))).not.toBe(idOf(made))
  const another = await ask(url, 'POST', '/api/v1/api-keys', { key: caller.key, body: { name: 'second' } })
  const second = await create(url, another.body as { key: string }, 'k')
  expect([replayed(second), idOf(second)]).toEqual(['true', idOf(made)])
})

test('a failed request releases its key: a 402, 400 or 429 is not repeated later', async () => {
  const { url, db } = shared
  const poor = await addUser(db, 0)
  await markPaid(db, poor.user_id)
  expect((await create(url, poor, 'k')).status).toBe(402)
  expect((await create(url, poor, 'k', { ...JOB, depth: 0 })).status).toBe(400)
  expect(await countOf(db, poor.user_id)).toEqual({ jobs: 0, holds: 0 })
  await addCredits(db, poor.user_id, 10)
  const made = await create(url, poor, 'k')
  expect([made.status, replayed(made)]).toEqual([201, null])
  const full = await create(url, poor, 'other')
  expect([full.status, errorOf(full)]).toEqual([429, 'concurrent_job_limit'])
  await ask(url, 'POST', `/api/v1/jobs/${idOf(made)}/cancel`, { key: poor.key })
  expect((await create(url, poor, 'other', { ...JOB, depth: 2 })).status).toBe(201)
  await expectSoundLedger(db)
})

test('a replay takes no token of the job limit, and works without one', async () => {
  const { world, caller } = await visit()
  const { url } = await addCoordinator(world, { RATE_JOB_CREATE: '0.001:2' })
  const first = await create(url, caller, 'k')
  for (let replay = 0; replay < 5; replay++) expect(replayed(await create(url, caller, 'k'))).toBe('true')
  expect((await create(url, caller, 'l')).status).toBe(201)
  const refused = await create(url, caller, 'm')
  expect([refused.status, errorOf(refused)]).toEqual([429, 'rate_limited'])
  expect(idOf(await create(url, caller, 'k'))).toBe(idOf(first))
})

test('a replay is answered for ended, cancelled and deleted jobs', async () => {
  const { url, caller, db } = await visit()
  const first = await create(url, caller, 'k')
  await ask(url, 'POST', `/api/v1/jobs/${idOf(first)}/cancel`, { key: caller.key })
  expect(idOf(await create(url, caller, 'k'))).toBe(idOf(first))
  await ask(url, 'DELETE', `/api/v1/jobs/${idOf(first)}`, { key: caller.key })
  expect(idOf(await create(url, caller, 'k'))).toBe(idOf(first))
  expect((await countOf(db, caller.user_id)).jobs).toBe(1)
})

test.each([
  ['a second before 24 hours are over it is replayed', DAY - 5_000, true],
  ['after 24 hours the key is free', DAY + 1_000, false],
])('an answer is kept for 24 hours: %s', async (_what, age, same) => {
  const { url, caller, db } = await visit()
  const first = await create(url, caller, 'k')
  const expires_at = new Date(Date.now() + DAY - age)
  const { modifiedCount } = await jobsOf(db).updateOne(
    { _id: idOf(first) },
    { $set: { 'idempotency.expires_at': expires_at } },
  )
  expect(modifiedCount).toBe(1)
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(url, caller, 'k')))
  const created = new Set(answers.filter(({ status }) => status === 201).map(idOf))
  expect([created.size, created.has(idOf(first))]).toEqual([1, same])
})

test('two Idempotency-Key headers in one request are refused', async () => {
  const { url, caller, db } = await visit()
  const body = JSON.stringify(JOB)
  const head = [
    'POST /api/v1/jobs HTTP/1.1',
    `host: ${new URL(url).host}`,
    `x-api-key: ${caller.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'idempotency-key: one',
    'idempotency-key: two',
    'connection: close',
  ]
  expect(await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1.1 400 /)
  expect(await countOf(db, caller.user_id)).toEqual({ jobs: 0, holds: 0 })
})

test('a key whose first request died is in use, and free after 60 s', async () => {
  const { url, caller, db } = await visit()
  const dead = idOf(await create(url, caller, 'k'))
  // As a crash between its hold and its listing leaves it.
  await jobsOf(db).updateOne({ _id: dead }, { $set: { phase: 'creating', listed: false, created_at: new Date() } })
  const inUse = await create(url, caller, 'k')
  expect([inUse.status, errorOf(inUse), inUse.headers.get('retry-after')]).toEqual([409, 'idempotency_key_in_use', '1'])
  const different = await create(url, caller, 'k', { ...JOB, depth: 2 })
  expect(errorOf(different)).toBe('idempotency_key_in_use_with_different_body')

  await jobsOf(db).updateOne({ _id: dead }, { $set: { created_at: new Date(Date.now() - MINUTE - 1_000) } })

  const released = await create(url, caller, 'k')
  expect([released.status, replayed(released)]).toEqual([201, null])
  expect(idOf(released)).not.toBe(dead)
  expect((await countOf(db, caller.user_id)).jobs).toBe(1)
  await expectSoundLedger(db)
})

test('keys live by the clock of the database, however wrong that of a coordinator is', async () => {
  const { url, caller, db } = await visit()
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 60 * MINUTE)
  const created = idOf(await create(url, caller, 'k'))
  vi.useRealTimers()
  const job = await jobsOf(db).findOne({ _id: created })
  const minutesFromNow = (date: Date | undefined) => Math.round(((date?.getTime() ?? 0) - Date.now()) / MINUTE)
  expect(minutesFromNow(job?.created_at)).toBeCloseTo(0)
  expect(minutesFromNow(job?.idempotency?.expires_at)).toBe(24 * 60)

  vi.setSystemTime(Date.now() + 25 * 60 * MINUTE)
  const again = await create(url, caller, 'k')
  expect([again.status, replayed(again), idOf(again)]).toEqual([201, 'true', created])
})
