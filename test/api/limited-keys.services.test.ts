import { randomUUID } from 'node:crypto'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { knownPlacesOf } from '@placefleet/coordinator/known-places/documents'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { afterAll, expect, test } from 'vitest'
import type { Answer } from '../harness/coordinator/call-api.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { ask, JOB } from './api-world.ts'

const world = await startWorld(afterAll)
const { db } = world
const { url } = await addCoordinator(world)
const { key, user_id } = await addUser(db)
const idOf = ({ body }: Answer) => (body as { id: string }).id

const made = await ask(url, 'POST', '/api/v1/api-keys', { key, body: { name: 'l', limits: { day: '5' } } })
const { key: limited } = made.body as { key: string }
const HOOK = { name: 'w', url: 'https://hooks.example.com/', event_types: ['job.completed'] }
const MONITOR = { name: 'm', job: JOB, schedule: { every: '12h' } }
const createAll = async () => ({
  hook: idOf(await ask(url, 'POST', '/api/v1/webhooks', { key, body: HOOK })),
  monitor: idOf(await ask(url, 'POST', '/api/v1/monitors', { key, body: MONITOR })),
  job: idOf(await ask(url, 'POST', '/api/v1/jobs', { key, body: JOB })),
})
const { hook, monitor, job } = await createAll()

test.each<[string, string, object | undefined]>([
  ['DELETE', `/api/v1/jobs/${job}`, undefined],
  ['DELETE', '/api/v1/known-places', undefined],
  ['DELETE', `/api/v1/monitors/${monitor}`, undefined],
  ['PATCH', `/api/v1/monitors/${monitor}`, { name: 'other' }],
  ['POST', '/api/v1/webhooks', HOOK],
  ['PATCH', `/api/v1/webhooks/${hook}`, { name: 'other' }],
  ['DELETE', `/api/v1/webhooks/${hook}`, undefined],
  ['POST', `/api/v1/webhooks/${hook}/rotate-secret`, undefined],
])('a key with a spending limit is refused with what to do: $0 $1', async (method, path, body) => {
  const answer = await ask(url, method, path, { key: limited, ...(body && { body }) })
  expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } })
  expect(answer.text).toContain('Use another key or the console.')
})

test('nothing was changed, and a key without a limit may do it all', async () => {
  expect(await jobsOf(db).findOne({ _id: job })).toMatchObject({ listed: true })
  expect(await webhooksOf(db).findOne({ _id: hook })).toMatchObject({ name: 'w' })
  const own = await createAll()
  await knownPlacesOf(db).insertOne({ user_id, place_key: '0x1:0x1', source: 'upload', at: new Date() } as never)
  for (const path of ['known-places', `jobs/${own.job}`, `monitors/${own.monitor}`, `webhooks/${own.hook}`]) {
    expect((await ask(url, 'DELETE', `/api/v1/${path}`, { key })).status, path).toBe(204)
  }
})

test('a key with a spending limit deletes the jobs and monitors that it created, and learns of no others', async () => {
  const own = idOf(await ask(url, 'POST', '/api/v1/jobs', { key: limited, body: { ...JOB, max_cost: '1' } }))
  expect((await ask(url, 'DELETE', `/api/v1/jobs/${own}`, { key: limited })).status).toBe(204)
  expect((await ask(url, 'DELETE', `/api/v1/jobs/${own}`, { key: limited })).status).toBe(404)
  const watching = idOf(await ask(url, 'POST', '/api/v1/monitors', { key: limited, body: MONITOR }))
  expect((await ask(url, 'DELETE', `/api/v1/monitors/${watching}`, { key: limited })).status).toBe(204)
  expect((await ask(url, 'DELETE', `/api/v1/jobs/${randomUUID()}`, { key: limited })).status).toBe(404)
})
