import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { NewWebhook } from '@placefleet/coordinator/webhooks/schema'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Client, createClient } from '../harness/coordinator/client.ts'
import { startProcess } from '../harness/coordinator/processes.ts'
import { API_KEY, coordinatorEnv, startWorld, type World } from '../harness/coordinator/world.ts'
import { createAuthority } from '../harness/network/certificates.ts'
import { freePort } from '../harness/network/free-port.ts'
import { RECEIVER_NAMES, type Receiver, type Respond, startReceiver } from '../harness/network/receiver.ts'
import { until } from '../harness/until.ts'

const JOBS = 250
const WEBHOOKS = 2
const KILLS_EACH = 25
const SETTLED_WITHIN_MS = 300_000
const NewId = z.object({ id: z.uuid() })

// Slow enough that a kill meets attempts under way, and failing now and then.
const unreliable: Respond = (response) => {
  const status = Math.random() < 0.1 ? 500 : 200
  setTimeout(() => response.writeHead(status).end(), 50 + 500 * Math.random())
}

/** One of two coordinators, that is killed and started again on its port. */
type Replica = { client: Client; start(): Promise<void>; kill(): Promise<void>; answers(): Promise<boolean> }

async function replica(world: World, env: Record<string, string>): Promise<Replica> {
  const port = await freePort()
  const settings = { ...coordinatorEnv(world), PORT: String(port), LOG_LEVEL: 'error', ...env }
  const client = createClient(`http://127.0.0.1:${port}`, API_KEY)
  const answers = () =>
    client.call('GET', '/health').then(
      ({ status }) => status === 200,
      () => false,
    )
  let running = startProcess('coordinator/main.ts', settings)
  const start = async () => {
    await until(`the coordinator answers\n${running.stderr()}`, answers)
  }
  return {
    client,
    answers,
    start,
    async kill() {
      await running.kill('SIGKILL')
      running = startProcess('coordinator/main.ts', settings)
      await start()
    },
  }
}

/** Asks whichever replica answers, again and again, until the answer has that status. */
async function insist(replicas: Replica[], status: number, method: string, path: string, body?: unknown) {
  for (let turn = 0; ; turn++) {
    const client = replicas[turn % replicas.length]?.client
    const answer = await client?.call(method, path, body).catch(() => undefined) // killed under the request
    if (answer?.status === status) return answer.body
    await sleep(20)
  }
}

/** Lets jobs end one after the other, spread over the time of the kills. */
async function endJobs(replicas: Replica[], killed: () => number): Promise<string[]> {
  const ended: string[] = []
  while (ended.length < JOBS) {
    await until('it is time for the next', () => ended.length / JOBS <= (killed() + 1) / (2 * KILLS_EACH))
    const request = { name: 'a job', language: 'en', keywords: ['one'], max_results: 1 }
    const { id } = NewId.parse(await insist(replicas, 201, 'POST', '/api/v1/jobs', request))
    await insist(replicas, 204, 'POST', `/api/v1/jobs/${id}/cancel`)
    ended.push(id)
  }
  return ended
}

async function receiversOf(world: World) {
  const authority = await createAuthority()
  const identity = await authority.issue(RECEIVER_NAMES)
  const ca = join(world.dataDir, 'ca.pem')
  writeFileSync(ca, authority.ca)
  const start = async () => {
    const receiver = await startReceiver(identity, unreliable)
    onTestFinished(receiver.close)
    return receiver
  }
  return { ca, receivers: await Promise.all(Array.from({ length: WEBHOOKS }, start)) }
}

const idOf = (headers: Receiver['received'][number]['headers']) => String(headers['x-webhook-id'])

test('over 50 kills every delivery arrives with one id and at most five attempts', async () => {
  const world = await startWorld()
  const { ca, receivers } = await receiversOf(world)
  const env = {
    NODE_EXTRA_CA_CERTS: ca,
    WEBHOOK_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','),
    WEBHOOK_HOURLY_ACCOUNT: '100000',
    WEBHOOK_HOURLY_ADDRESS: '100000',
    MAX_CONCURRENT_JOBS_FREE: '10000',
  }
  const replicas = [await replica(world, env), await replica(world, env)]
  await Promise.all(replicas.map(({ start }) => start()))
  for (const { url } of receivers)
    NewWebhook.parse(await insist(replicas, 201, 'POST', '/api/v1/webhooks', { name: 'one', url }))

  let killed = 0
  const killing = replicas.map(async ({ kill }) => {
    for (let kills = 0; kills < KILLS_EACH; kills++) {
      await sleep(100 + 900 * Math.random())
      await kill()
      killed += 1
    }
  })
  const [ended] = await Promise.all([endJobs(replicas, () => killed), ...killing])
  const deliveries = deliveriesOf(world.db)
  const over = async () => (await deliveries.countDocuments({ status: { $ne: 'pending' } })) === JOBS * WEBHOOKS
  await until('all deliveries are over', over, SETTLED_WITHIN_MS)

  const all = await deliveries.find().toArray()
  const arrived = receivers.map(({ received }) => {
    return Map.groupBy(received, ({ body }) => z.object({ job_id: z.string() }).parse(JSON.parse(body)).job_id)
  })
  for (const jobs of arrived) {
    expect(new Set(jobs.keys())).toEqual(new Set(ended))
    for (const posts of jobs.values()) expect(new Set(posts.map(({ headers }) => idOf(headers))).size).toBe(1)
    for (const posts of jobs.values()) expect(posts.length).toBeLessThanOrEqual(5)
  }
  expect(all).toHaveLength(JOBS * WEBHOOKS)
  expect(Math.max(...all.map(({ attempt_count }) => attempt_count))).toBeLessThanOrEqual(5)
  const posts = receivers.reduce((sum, { received }) => sum + received.length, 0)
  const failed = all.filter(({ status }) => status === 'failed').length
  const cutOff = all.flatMap(({ attempts }) => attempts).filter(({ duration_ms }) => duration_ms === undefined).length
  console.log({ killed, deliveries: all.length, posts, attempts_cut_off_by_kills: cutOff, failed })
})
