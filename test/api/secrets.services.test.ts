import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { expect, onTestFinished, test } from 'vitest'
import type { CallOptions } from '../harness/coordinator/call-api.ts'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { addUser, cookieOf } from '../harness/coordinator/users.ts'
import { startWorld, type World } from '../harness/coordinator/world.ts'
import { freePort } from '../harness/network/free-port.ts'
import { testReceiver } from '../harness/network/test-receiver.ts'
import { until } from '../harness/until.ts'
import { ask } from './api-world.ts'
import { dumpDatabase, dumpFiles, findSecrets, type LeftBehind, listenToQueue } from './left-behind.ts'

const canary = (prefix = '') => `${prefix}canary${randomBytes(12).toString('hex')}`

/** The secrets of the operator and of the user. */
const SECRETS = {
  'the API key': canary('svc_'),
  'the agent token': canary(),
  "Stripe's key": canary('sk_test_'),
  "Stripe's signing secret": canary('whsec_'),
  "the coordinator's own key": randomBytes(32).toString('base64'),
  'the password of a proxy': canary(),
  'the password of a dead proxy': canary(),
  'the password of a refused proxy': canary(),
  'the password in what is no URL': canary(),
}

/** Starts a proxy that asks for its password, before websites whose names only it knows. */
async function startProxy(outside: Awaited<ReturnType<typeof startOutsideWorld>>) {
  const { city, websites } = outside
  const proxy = await startForwardProxy({
    resolve: (host) =>
      city.indexOfHost(host) === undefined ? undefined : { host: websites.host, port: websites.port },
    username: 'user',
    password: SECRETS['the password of a proxy'],
  })
  onTestFinished(() => proxy.close())
  return proxy
}

/** Starts a coordinator and an agent as an operator would, with every secret there is, telling all they can. */
async function startProduct(world: World, ports: { proxy: string; dead: number }, mapsUrl: string, receiver: Receiver) {
  const ca = join(world.dataDir, 'ca.pem')
  writeFileSync(ca, receiver.authority.ca)
  const shared = {
    LOG_LEVEL: 'trace',
    AGENT_TOKEN: SECRETS['the agent token'],
    EGRESS_ALLOW_HOSTS: `${ports.proxy},127.0.0.1:${ports.dead},${new URL(mapsUrl).host}`,
  }
  const coordinator = await startCoordinatorProcess(world, {
    ...shared,
    BOOTSTRAP_API_KEY: SECRETS['the API key'],
    STRIPE_SECRET_KEY: SECRETS["Stripe's key"],
    STRIPE_WEBHOOK_SECRET: SECRETS["Stripe's signing secret"],
    STRIPE_API_BASE: `http://127.0.0.1:${ports.dead}`,
    SECRETS_KEY: SECRETS["the coordinator's own key"],
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    NODE_EXTRA_CA_CERTS: ca,
  })
  const agent = startAgentProcess(world, coordinator.grpc, { ...shared, COLLECT_RUNG: 'http', MAPS_BASE_URL: mapsUrl })
  return { coordinator, agent }
}

type Receiver = Awaited<ReturnType<typeof testReceiver>>

test('after a whole job with proxies no secret is in any log, message, document, file or answer', async () => {
  const outside = await startOutsideWorld({ seed: 11, places: 120 })
  onTestFinished(() => outside.close())
  const proxy = await startProxy(outside)
  const receiver = await testReceiver()
  const world = await startWorld()
  const queue = await listenToQueue(world.natsUrl)
  const ports = { proxy: new URL(proxy.url).host, dead: await freePort() }
  const { coordinator, agent } = await startProduct(world, ports, outside.site.url, receiver)
  const left: LeftBehind = new Map()
  const answers: string[] = []
  const key = SECRETS['the API key']
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const answer = await ask(coordinator.url, method, path, { key, ...options })
    answers.push(`${answer.status} ${JSON.stringify([...answer.headers])} ${answer.text}`)
    return answer
  }
  /** Creates an object whose answer shows a secret once. */
  const shown = async (path: string, body: object) => {
    const { body: made } = await ask(coordinator.url, 'POST', path, { key, body })
    return made as { id: string; key: string; secret: string }
  }

  const second = await shown('/api/v1/api-keys', { name: 'second' })
  const webhook = await shown('/api/v1/webhooks', { name: 'hook', url: receiver.url })
  const rotated = await shown(`/api/v1/webhooks/${webhook.id}/rotate-secret`, {})
  const visitor = await addUser(world.db)
  const cookie = await cookieOf(world.db, visitor.user_id)
  const secrets = {
    ...SECRETS,
    'a key made later': second.key,
    'the webhook secret before': webhook.secret,
    'the webhook secret': rotated.secret,
    'its bytes': Buffer.from(rotated.secret.replace('whsec_', ''), 'base64').toString('hex'),
    'a session': cookie.split('=')[1] ?? '',
    'the login of a proxy': `user:${SECRETS['the password of a proxy']}`,
  }

  const ended = async (proxies: string[]) => {
    const order = {
      name: 'a job',
      keywords: ['bakery'],
      language: 'en',
      include_emails: true,
      max_results: 5,
      proxies,
    }
    const { body } = await call('POST', '/api/v1/jobs', {
      body: order,
      headers: { 'idempotency-key': randomBytes(8).toString('hex') },
    })
    const { id } = body as { id: string }
    await dumpDatabase(world.db, left, `while ${id} runs`)
    return until(
      'the job has ended',
      async () => {
        const job = (await call('GET', `/api/v1/jobs/${id}`)).body as {
          status: string
          id: string
          failure_reason?: string
        }
        return ['completed', 'failed'].includes(job.status) && job
      },
      90_000,
    )
  }
  const dead = `http://user:${SECRETS['the password of a dead proxy']}@127.0.0.1:${ports.dead}`
  const job = await ended([proxy.url])
  expect(job.status).toBe('completed')
  const failed = await ended([dead, dead.replace('http:', 'socks5:')])
  expect(failed).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/^proxies_failed: /) })
  await until('the webhook was told', () => receiver.received.length >= 2)

  const refused = [
    `http://user:${SECRETS['the password of a refused proxy']}@10.0.0.1:80`,
    `socks4://user:${SECRETS['the password of a refused proxy']}@93.184.216.34:80`,
    `http://user:${SECRETS['the password in what is no URL']}@:99999`,
  ]
  const orders = refused.map((url) => ({ name: 'x', keywords: ['x'], language: 'en', proxies: [url] }))
  for (const body of orders) expect((await call('POST', '/api/v1/jobs', { body })).status).toBe(400)
  await call('GET', `/api/v1/jobs/${job.id}/results`)
  await call('GET', `/api/v1/jobs/${job.id}/download?format=jsonl`)
  await call('GET', '/api/v1/jobs')
  await call('GET', '/api/v1/api-keys')
  await call('GET', '/api/v1/webhooks')
  await call('GET', `/api/v1/webhooks/${webhook.id}/deliveries`)
  await call('GET', '/api/v1/dashboard', { headers: { cookie } })
  await call('GET', `/api/v1/jobs?api_key=${key}`)
  await call('GET', `/api/v1/jobs/${second.key}`)
  await call('GET', '/api/v1/jobs', { key: `${second.key}x` })
  await call('GET', '/health')
  await call('POST', '/api/v1/credits/checkout-session', { body: { credits: '5', currency: 'USD' } })
  await call('POST', '/stripe/webhook', { rawBody: '{}', headers: { 'content-type': 'application/json' } })
  await call('DELETE', `/api/v1/api-keys/${second.id}`)
  await agent.kill('SIGTERM')
  await coordinator.kill('SIGTERM')

  await queue.end(left)
  await dumpDatabase(world.db, left, 'in the end')
  dumpFiles(world.dataDir, left)
  dumpFiles(world.natsStoreDir, left)
  left.set('the log of the coordinator', Buffer.from(coordinator.stderr()))
  left.set('the log of the agent', Buffer.from(agent.stderr()))
  left.set('answers', Buffer.from(answers.join('\n')))
  left.set('deliveries', Buffer.from(JSON.stringify(receiver.received)))

  expect(proxy.requests().requests + proxy.requests().tunnels).toBeGreaterThan(0)
  for (const place of ['messages', 'the log of the coordinator', 'the log of the agent', 'deliveries']) {
    expect(left.get(place)?.length, place).toBeGreaterThan(100)
  }
  expect(findSecrets(secrets, left)).toEqual([])
}, 240_000)
