import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { MOST_POOLED } from '@placefleet/coordinator/exits/pool'
import { createIdentities } from '@placefleet/coordinator/fleet/identities'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Refusal } from '@placefleet/shared/protocol'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../../api/api-world.ts'
import { claimTask } from '../../harness/agents/task-call.ts'
import { releasedTask } from '../../harness/coordinator/released-task.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { runOpsHere } from '../operator/commands/run-ops.ts'

const world = await startWorld(afterAll)
const { db } = world
const operator = await addUser(db)
await setRole(db, operator.user_id, 'operator')
beforeEach(() => db.collection('proxy_pool').deleteMany({}))

const PROXIES = ['http://me:hidden@one.example.com:8080', 'socks5h://two.example.com:1080']
const env = coordinatorEnv(world)
const coordinator = () => addCoordinator(world, { PROXY_AGENTS: 'trusted, other', MAX_CONCURRENT_JOBS_FREE: '100' })

async function ops(args: string[], more: Record<string, string> = {}) {
  const { code, out, err } = await runOpsHere([...args, '--json'], { ...env, ...more })
  return code === 0 ? JSON.parse(out) : err
}

function proxyFile(lines: readonly string[]): string {
  const file = join(world.dataDir, 'proxies')
  writeFileSync(file, lines.join('\n'))
  return file
}

/** Claims a task and returns its proxies, or why it was refused. */
async function claimed(grpc: string, task_id: string, token?: string): Promise<readonly string[] | Refusal | string> {
  const answer = await claimTask(grpc, { task_id }, token).next()
  if (answer?.$case === 'assignment') return answer.value.proxies.toSorted()
  return answer?.$case === 'refusal' ? answer.value.reason : expect.fail('no answer')
}

test('only named agents get proxies: those of the job, else those of the pool, and none for the simulated city', async () => {
  await ops(['exits', 'add', proxyFile(PROXIES)])
  const one = await coordinator()
  const own = ['http://own.example.com:3128']
  const trusted = await createIdentities(db).enrol('trusted')
  const without = await releasedTask(world, one)
  expect(await claimed(one.grpc, without.task_id, trusted)).toEqual(PROXIES)
  const brought = await releasedTask(world, one, { proxies: own })
  expect(await claimed(one.grpc, brought.task_id)).toBe('proxies')
  expect(await claimed(one.grpc, brought.task_id, trusted)).toEqual(own)
  const another = await releasedTask(world, one)
  expect(await claimed(one.grpc, another.task_id)).toEqual([])
  const demo = await releasedTask(world, one)
  await jobsOf(db).updateOne({ _id: demo.job_id }, { $set: { 'data.demo': true } })
  expect(await claimed(one.grpc, demo.task_id, trusted)).toEqual([])
  const { estimate } = z
    .object({ estimate: z.object({ time_assumes: z.object({ exits: z.int() }) }) })
    .parse((await one.client.call('POST', '/api/v1/jobs/estimates', { keywords: ['one'] })).body)
  expect(estimate.time_assumes.exits).toBe(2)
})

test('operators add proxies, see their exits and remove them; no URL is shown or stored in the clear', async () => {
  const { url } = await coordinator()
  const call = (method: string, path: string, body?: unknown) =>
    ask(url, method, `/api/v1/admin/exits${path}`, { key: operator.key, body })
  const added = await call('POST', '', { proxies: PROXIES })
  expect(added.status).toBe(201)
  const { ids } = z.object({ ids: z.array(z.string()) }).parse(added.body)
  expect(await ops(['exits', 'add', proxyFile([...PROXIES, '', ' ', '# no proxy'])])).toEqual(ids)
  const pooled = ids.map((id) => ({ id, kind: 'proxy', pooled: true, agents: [], rate_per_minute: 0, verdicts: {} }))
  expect((await call('GET', '')).body).toEqual({ exits: expect.arrayContaining(pooled) })
  const [first = '', second = ''] = ids
  expect((await call('DELETE', `/${first}`)).status).toBe(204)
  expect((await call('DELETE', `/${first}`)).status).toBe(404)
  expect(JSON.stringify(await db.collection('proxy_pool').find().toArray())).not.toContain('example.com')
  expect(await ops(['exits', 'remove', second])).toEqual({ removed: 1 })
  expect(await ops(['exits', 'remove', second])).toContain('none of these')
})

test('what is no proxy, or too many, is refused', async () => {
  expect(await ops(['exits', 'add', proxyFile(['http://10.0.0.1:80'])])).toContain('proxies.0')
  const list = ['# from the seller', '', 'gate.example.com:7000:me:hid:den', 'http://me:hid#den@gate.example.com:7000']
  expect(await ops(['exits', 'add', proxyFile(list)])).toMatch(
    /Line 4: .*"#" .*write "%23" instead.*http:\/\/user:password@/,
  )
  expect(await ops(['exits', 'add', proxyFile([])])).toContain('has no proxy')
  const many = Array.from({ length: MOST_POOLED }, (_, n) => `http://many.example.com:${n + 1}`)
  expect(await ops(['exits', 'add', proxyFile(many)])).toHaveLength(MOST_POOLED)
  expect(await ops(['exits', 'add', proxyFile([...many, ...many.slice(0, 1)])])).not.toContain('Remove some first')
  expect(await ops(['exits', 'add', proxyFile(PROXIES)])).toContain('Remove some first')
})

test('after a rotation of the key the pool has its new exits', async () => {
  const own = await startWorld()
  const env = coordinatorEnv(own)
  const before = await ops(['exits', 'add', proxyFile(PROXIES)], env)
  const key = randomBytes(32).toString('base64')
  const rotated = await ops(['secrets', 'rotate'], { ...env, NEW_SECRETS_KEY: key })
  expect(rotated).toMatchObject({ changed: expect.any(Number) })
  const after = await ops(['exits', 'add', proxyFile(PROXIES)], { ...env, SECRETS_KEY: key })
  expect(after).not.toEqual(before)
  const inPool = await own.db.collection<{ _id: string }>('proxy_pool').find().toArray()
  expect(inPool.map(({ _id }) => _id).toSorted()).toEqual(after.toSorted())
})
