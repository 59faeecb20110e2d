import { createServer, type Socket } from 'node:net'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { HeldDelivery } from '@placefleet/coordinator/webhooks/deliveries/store'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  attempt,
  attemptAll,
  deliveryWorld,
  readDelivery,
  recordOne,
  registerWebhook,
} from '../../../harness/coordinator/deliveries.ts'
import { createAuthority } from '../../../harness/network/certificates.ts'
import { RECEIVER_NAMES, type Receiver, type Respond, startReceiver } from '../../../harness/network/receiver.ts'
import { listenOnFreePort } from '../../../harness/network/serve.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)
const deliveries = deliveriesOf(db)

/** Returns a receiver, a webhook that points to it, and a delivery that is due. */
async function due(respond?: Respond) {
  const receiver = await testReceiver(respond)
  return { receiver, ...(await dueTo(receiver, receiver.authority.ca)) }
}

async function dueTo(receiver: Receiver, ca: string) {
  const webhook = await registerWebhook(db, secrets, receiver.url)
  const delivery_id = await recordOne(db, webhook.user_id)
  const egress = { ...parts().egress, allow: parseAllowHosts(receiver.host) }
  return { webhook, delivery_id, parts: parts({ egress, ca }) }
}

test('a delivery is a signed POST of the recorded body, and a 2xx ends it', async () => {
  const { receiver, webhook, delivery_id, parts } = await due()

  const delivery = await attempt(parts, delivery_id)

  expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1, attempts: [{ number: 1, status_code: 204 }] })
  expect(receiver.received).toHaveLength(1)
  const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = receiver.received
  expect(path).toBe('/hook')
  expect(headers).toMatchObject({
    host: receiver.host,
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1.0',
    'x-webhook-id': delivery_id,
    'x-webhook-signature': expect.stringMatching(/^t=\d+,sha256=[0-9a-f]{64}$/),
    'webhook-id': delivery_id,
  })
  expect(JSON.parse(body)).toEqual({
    event_type: 'job.completed',
    job_id: delivery.job_id,
    job_name: 'a job',
    status: 'completed',
    result_count: 3,
    created_at: '2026-01-02T03:04:05.678Z',
    ended_at: '2026-01-02T04:05:06.789Z',
  })
  expect(await webhook.read()).toMatchObject({ verified_at: expect.any(Date), health_state: 'healthy' })
})

test.each([
  { when: 'until', ms: -1, signatures: 2 },
  { when: 'at', ms: 0, signatures: 1 },
])('a replaced secret signs $when the end of its time: $signatures signatures', async ({ ms, signatures }) => {
  const { receiver, webhook, delivery_id, parts } = await due()
  const until = new Date('2026-01-02T00:00:00Z')
  const previous_secrets = [{ sealed_secret: secrets.seal('the secret before'), until }]
  await webhooksOf(db).updateOne({ _id: webhook.webhook_id }, { $set: { previous_secrets } })
  const begin: typeof parts.queue.begin = async (...delivery) =>
    (await parts.queue.begin(...delivery)) && new Date(until.getTime() + ms)

  await attempt({ ...parts, queue: { ...parts.queue, begin } }, delivery_id)

  const signature = String(receiver.received[0]?.headers['x-webhook-signature'])
  expect(signature.match(/sha256=/g)).toHaveLength(signatures)
})

test('a delivery that always fails gets five attempts with the same id and body, and is then failed', async () => {
  const answer: Respond = (response) => void response.writeHead(500).end('no')
  const { receiver, webhook, delivery_id, parts: plain } = await due(answer)
  const delays: number[] = []
  const retryIn: typeof plain.queue.retryIn = (delivery, result, delayMs) => {
    delays.push(delayMs)
    return plain.queue.retryIn(delivery, result, delayMs)
  }
  const parts = { ...plain, queue: { ...plain.queue, retryIn } }
  const windows = [
    [1_000, 3_000],
    [2_000, 6_000],
    [4_000, 12_000],
    [8_000, 24_000],
  ]
  for (const [least = 0, most = 0] of windows) {
    const { attempts, due_at } = await attempt(parts, delivery_id)
    const delay = delays.at(-1)
    expect(delay).toBeGreaterThanOrEqual(least)
    expect(delay).toBeLessThan(most)
    expect(Number(due_at) - Number(attempts.at(-1)?.at)).toBeGreaterThanOrEqual(delay ?? Number.NaN)
  }
  const last = await attempt(parts, delivery_id)

  expect(last).toMatchObject({ status: 'failed', attempt_count: 5 })
  expect(last.attempts.map(({ number, status_code }) => [number, status_code])).toEqual(
    [1, 2, 3, 4, 5].map((number) => [number, 500]),
  )
  expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-id']))).toEqual(new Set([delivery_id]))
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(await webhook.read()).toMatchObject({ health_state: 'healthy', consecutive_failures: 1 })
  await expect(attempt(parts, delivery_id)).rejects.toThrow('not to be had')
})

const REDIRECT = 'Redirects are not followed.'
const OTHER = 'The response was not a 2xx.'

test.each([
  [300, REDIRECT],
  [302, REDIRECT],
  [399, REDIRECT],
  [400, OTHER],
  [429, OTHER],
  [503, OTHER],
])('a %i is a failure and is not followed', async (status, error) => {
  const target = await testReceiver()
  const headers = { location: target.url, 'retry-after': '86400' }
  const { receiver, delivery_id, parts } = await due((response) => void response.writeHead(status, headers).end())

  const { attempts, due_at } = await attempt(parts, delivery_id)

  expect(attempts).toMatchObject([{ status_code: status, error }])
  expect([receiver.connections(), target.connections()]).toEqual([1, 0])
  expect(Number(due_at) - Date.now()).toBeLessThan(10_000)
})

test.each([200, 299])('a %i is a success', async (status) => {
  const { delivery_id, parts } = await due((response) => void response.writeHead(status).end())
  expect(await attempt(parts, delivery_id)).toMatchObject({ status: 'delivered' })
})

const drip: Respond = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write('.'), 20)
  response.on('close', () => clearInterval(timer))
}
const continues: Respond = (response) => {
  const timer = setInterval(() => response.writeContinue(), 20)
  response.on('close', () => clearInterval(timer))
}
const LATE = 'The response timed out.'
const RESET = 'The connection was reset.'
const NOT_HTTP = 'The response is not valid HTTP, or its headers are too large.'
const BAD: [string, Respond, string][] = [
  ['never answers', () => undefined, LATE],
  ['drips a body without end', drip, LATE],
  ['continues for ever', continues, LATE],
  ['resets the connection', (_response, _received, socket) => void socket.destroy(), RESET],
  [
    'breaks off within the body',
    (response, _received, socket) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun', () => socket.destroy())
    },
    RESET,
  ],
  ['sends no HTTP', (_response, _received, socket) => void socket.end('hello\r\n\r\n'), NOT_HTTP],
  [
    'sends headers without end',
    (response) => {
      const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, number) => [`x-${number}`, 'x'.repeat(20)]))
      response.writeHead(200, headers).end()
    },
    NOT_HTTP,
  ],
]

test.each(BAD)('a receiver that %s has failed', async (_, respond, error) => {
  const { delivery_id, parts } = await due(respond)
  const timeoutMs = error === LATE ? 400 : parts.timeoutMs
  const delivery = await attempt({ ...parts, timeoutMs }, delivery_id)
  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error }] })
  expect(delivery.attempts[0]?.status_code).toBeUndefined()
})

test('the lookup of the name takes from the time of the attempt', async () => {
  const { receiver, delivery_id, parts } = await due()
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const { lookup } = parts.egress
  const slowLookup: typeof lookup = async (...query) => {
    clock.mockReturnValue(performance.now() + parts.timeoutMs)
    return lookup(...query)
  }

  const delivery = await attempt({ ...parts, egress: { ...parts.egress, lookup: slowLookup } }, delivery_id)

  expect(delivery).toMatchObject({ status: 'pending', attempts: [{ error: LATE }] })
  expect(receiver.received).toEqual([])
})

test('at most 64 KiB of a huge answer are read, and its status counts', async () => {
  let written = 0
  const flood: Respond = (response) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
    }
    response.on('drain', more)
    more()
  }
  const { delivery_id, parts } = await due(flood)
  expect(await attempt(parts, delivery_id)).toMatchObject({ status: 'delivered' })
  expect(written).toBeLessThan(64 * 1024 * 1024)
})

test('a gzip bomb is not unpacked', async () => {
  const { delivery_id, parts } = await due((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(1_000))
  })
  expect(await attempt(parts, delivery_id)).toMatchObject({ status: 'delivered' })
})

describe('a certificate', () => {
  test('of an unknown authority is refused', async () => {
    const { receiver, delivery_id, parts } = await due()
    const other = await createAuthority()
    const { attempts } = await attempt({ ...parts, ca: other.ca }, delivery_id)
    expect(attempts).toMatchObject([{ error: 'The certificate is not trusted.' }])
    expect(receiver.received).toEqual([])
  })

  test.each([
    ['that has expired', RECEIVER_NAMES, { from: -10, to: -1 }, 'The certificate has expired.'],
    ['for another name', ['other.example.com'], undefined, 'The certificate is for another host name.'],
  ])('%s is refused', async (_, names, days, error) => {
    const authority = await createAuthority()
    const receiver = await startReceiver(await authority.issue(names, days))
    onTestFinished(receiver.close)
    const { delivery_id, parts } = await dueTo(receiver, authority.ca)
    expect((await attempt(parts, delivery_id)).attempts).toMatchObject([{ error }])
    expect(receiver.received).toEqual([])
  })
})

test('a closed port or one without TLS is a failed attempt', async () => {
  const answersPlainly = (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n', () => socket.destroy())
  const { port, close } = await listenOnFreePort(createServer(answersPlainly))
  const receiver = await testReceiver()
  const at = { ...receiver, host: `localhost:${port}`, url: `https://localhost:${port}/` }
  const { delivery_id, parts } = await dueTo(at, receiver.authority.ca)
  expect((await attempt(parts, delivery_id)).attempts).toMatchObject([{ error: 'The TLS handshake failed.' }])
  await close()
  expect((await attempt(parts, delivery_id)).attempts.at(-1)).toMatchObject({ error: 'The connection was refused.' })
})

test('the sent bytes match their signature for any name of the job', async () => {
  const { receiver, webhook, parts } = await due()
  const name = 'quotes " \\ , emoji 🗺️, line\r\nbreak, ünïcode and \u2028'
  const delivery_id = await recordOne(db, webhook.user_id, { name })
  await attempt(parts, delivery_id)
  const sent = receiver.received.at(-1)
  expect(sent?.body).toBe((await readDelivery(db, delivery_id)).body)
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ job_name: name })
})

describe('health', () => {
  test('the tenth failed delivery in a row disables a webhook and drops its waiting deliveries', async () => {
    const { webhook, delivery_id, parts } = await due((response) => void response.writeHead(503).end())
    const nine = { health_state: 'degraded', consecutive_failures: 9 } as const
    await webhooksOf(db).updateOne({ _id: webhook.webhook_id }, { $set: nine })
    const waiting = await recordOne(db, webhook.user_id)
    expect(await attemptAll(parts, delivery_id)).toMatchObject({ status: 'failed' })
    expect(await readDelivery(db, waiting)).toMatchObject({ status: 'dropped', attempt_count: 0 })
    const disabled = { disabled_at: expect.any(Date), disabled_reason: 'http_5xx' }
    expect(await webhook.read()).toMatchObject({ health_state: 'disabled', consecutive_failures: 10, ...disabled })
    await expect(recordOne(db, webhook.user_id)).rejects.toThrow('no delivery was recorded')
  })

  test('a 2xx, even at the fifth attempt, ends the streak', async () => {
    let answers = 0
    const answer: Respond = (response) => void response.writeHead(++answers < 5 ? 500 : 200).end()
    const { webhook, delivery_id, parts } = await due(answer)
    const four = { health_state: 'healthy', consecutive_failures: 4 } as const
    await webhooksOf(db).updateOne({ _id: webhook.webhook_id }, { $set: four })
    expect(await attemptAll(parts, delivery_id)).toMatchObject({ status: 'delivered', attempt_count: 5 })
    expect(await webhook.read()).toMatchObject({ consecutive_failures: 0, health_state: 'healthy' })
  })

  test('a delivery counts once, though the process died before it could end it', async () => {
    const { webhook, delivery_id, parts } = await due((response) => void response.writeHead(500).end())
    for (let made = 1; made <= 4; made++) await attempt(parts, delivery_id)
    const queue = { ...parts.queue, end: async () => Promise.reject(new Error('killed')) }
    await expect(attempt({ ...parts, queue }, delivery_id)).rejects.toThrow('killed')
    expect(await attempt(parts, delivery_id)).toMatchObject({ status: 'failed', attempt_count: 5 })
    expect(await webhook.read()).toMatchObject({ consecutive_failures: 1 })
  })
})

test('an attempt counts before it is made: after five crashes there is no sixth', async () => {
  const { receiver, delivery_id, parts } = await due()
  for (let died = 1; died <= 5; died++) {
    await deliveries.updateOne({ _id: delivery_id }, { $set: { due_at: new Date(0) } })
    const claimed = await parts.queue.takeOne(delivery_id)
    if (claimed) await parts.queue.begin(claimed, [])
  }
  expect(await attempt(parts, delivery_id)).toMatchObject({ status: 'failed', attempt_count: 5 })
  expect(receiver.connections()).toBe(0)
})

test('an expired lease cannot begin or postpone an attempt', async () => {
  const { delivery_id, parts } = await due()
  const first = await parts.queue.takeOne(delivery_id)
  await deliveries.updateOne({ _id: delivery_id }, { $set: { due_at: new Date(0) } })
  const second = await parts.queue.takeOne(delivery_id)
  if (!first || !second) throw new Error('not claimed')
  expect(await parts.queue.begin(first, [])).toBeUndefined()
  expect(await parts.queue.postpone(first, new Date(), [])).toBe(false)
  expect(await parts.queue.begin(second, [])).toBeInstanceOf(Date)
})

test('a lease is renewed while its attempt takes long', async () => {
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { delivery_id, parts } = await due((response) => {
    asked.resolve()
    void answer.promise.then(() => response.writeHead(204).end())
  })
  const renewals: Promise<boolean>[] = []
  const renew: typeof parts.queue.renew = (delivery) => {
    const renewal = parts.queue.renew(delivery)
    renewals.push(renewal)
    return renewal
  }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const delivering = attempt({ ...parts, queue: { ...parts.queue, renew } }, delivery_id)
  await asked.promise
  await deliveries.updateOne({ _id: delivery_id }, { $set: { due_at: new Date(0) } })

  vi.advanceTimersByTime(1_500)

  expect(await Promise.all(renewals)).toEqual([true])
  expect((await readDelivery(db, delivery_id)).due_at?.getTime()).toBeGreaterThan(Date.now())
  answer.resolve()
  expect(await delivering).toMatchObject({ status: 'delivered' })
})

test('a delivery of a revoked webhook is dropped, and one of a changed URL goes to the new URL', async () => {
  const { receiver, webhook, delivery_id, parts } = await due((response) => void response.writeHead(500).end())
  await attempt(parts, delivery_id)
  const moved = await startReceiver(await receiver.authority.issue(RECEIVER_NAMES))
  onTestFinished(moved.close)
  await webhooksOf(db).updateOne({ _id: webhook.webhook_id }, { $set: { url: moved.url } })
  const both = { ...parts, egress: { ...parts.egress, allow: parseAllowHosts(`${receiver.host},${moved.host}`) } }
  expect(await attempt(both, delivery_id)).toMatchObject({ status: 'delivered' })
  expect(moved.received[0]?.headers['x-webhook-id']).toBe(delivery_id)

  const last = await recordOne(db, webhook.user_id)
  await webhooksOf(db).updateOne({ _id: webhook.webhook_id }, { $set: { revoked_at: new Date() } })
  expect(await attempt(both, last)).toMatchObject({ status: 'dropped', attempt_count: 0 })
  expect(moved.connections()).toBe(1)
})

const answering = (...addresses: string[]): Lookup => {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

/** One attempt to a URL that somehow got past the check at registration. Returns why it failed. */
async function attemptTo(url: string, lookup: Lookup, ca?: string) {
  const { user_id } = await registerWebhook(db, secrets, url)
  const egress = { allow: ALLOW_NONE, lookup }
  const { attempts } = await attempt(parts({ egress, ca, timeoutMs: 1_000 }), await recordOne(db, user_id))
  return attempts.map(({ error }) => error)
}

describe('what is not public is not connected to:', () => {
  const REFUSED =
    'The URL does not resolve to a public address. The operator can allow a private host in WEBHOOK_ALLOW_HOSTS.'
  const PUBLIC = '93.184.215.14'

  // All spellings and addresses are tested where a target is checked and resolved.
  test.each([
    ['in its usual spelling', '127.0.0.1', PUBLIC],
    ['in another spelling', '2130706433', PUBLIC],
    ['in IPv6', '[::ffff:127.0.0.1]', PUBLIC],
    ['that a name means', 'receiver.example.com', '127.0.0.1'],
  ])('an address %s', async (_, host, address) => {
    const trap = await testReceiver()
    expect(await attemptTo(`https://${host}:${trap.port}/`, answering(address), trap.authority.ca)).toEqual([REFUSED])
    expect(trap.connections()).toBe(0)
  })

  test('an address that a name means beside a public one', async () => {
    const url = 'https://receiver.example.com/'
    for (const private_ of ['10.0.0.1', 'fd00::1']) {
      expect(await attemptTo(url, answering(PUBLIC, private_))).toEqual([REFUSED])
    }
  })

  test('a name that changes between the check and the connection', async () => {
    const trap = await testReceiver()
    let asked = 0
    const rebinding: Lookup = async () => [{ address: ++asked % 2 === 1 ? '203.0.114.1' : '127.0.0.1', family: 4 }]
    await attemptTo(`https://receiver.example.com:${trap.port}/`, rebinding, trap.authority.ca)
    expect(asked).toBe(1) // one look-up an attempt: there is no second one to lie to
    expect(trap.connections()).toBe(0)
  })

  test.each(['http://example.com/', 'https://user:password@example.com/', 'file:///etc/passwd', 'not a url'])(
    'the target of %s',
    async (url) => {
      const neverAsked: Lookup = () => Promise.reject(new Error('it was looked up'))
      expect(await attemptTo(url, neverAsked)).toEqual([REFUSED])
    },
  )
})

test('a name that cannot be resolved in time is a failed attempt, not an unchecked one', async () => {
  const unknown: Lookup = () => Promise.reject(new Error('ENOTFOUND'))
  const silent: Lookup = () => new Promise(() => undefined)
  for (const lookup of [unknown, silent, answering()]) {
    const errors = await attemptTo('https://receiver.example.com/', lookup)
    expect(errors).toEqual(['The host name could not be resolved.'])
  }
})

const { queue } = parts()

async function recorded() {
  const { user_id, webhook_id } = await registerWebhook(db, secrets, 'https://hooks.example.com/')
  return { delivery_id: await recordOne(db, user_id), webhook: { _id: webhook_id, user_id } }
}

async function begun(delivery_id: string): Promise<HeldDelivery> {
  const claimed = (await queue.takeOne(delivery_id)) ?? expect.fail('not claimed')
  await queue.begin(claimed, [])
  return claimed
}

/** Lets a lease end, as after the death of its coordinator. */
const expire = (_id: string) => deliveries.updateOne({ _id }, { $set: { due_at: new Date(0) } })

test('when two coordinators deliver, because the lease of the first ended, each attempt shows its result', async () => {
  const { delivery_id } = await recorded()
  const first = await begun(delivery_id)
  await expire(delivery_id)
  const second = await begun(delivery_id)

  await queue.delivered(first, { status_code: 200, duration_ms: 6_000 })
  expect(await queue.end(second, 'failed', { error: 'no response', duration_ms: 10 })).toBe(false)
  await queue.delivered(second, { status_code: 204, duration_ms: 10 })

  expect(await readDelivery(db, delivery_id)).toMatchObject({
    status: 'delivered',
    attempts: [
      { number: 1, status_code: 200 },
      { number: 2, status_code: 204 },
    ],
  })
})

test('dropping the waiting deliveries of a webhook leaves an attempt in flight alone', async () => {
  const { delivery_id, webhook } = await recorded()
  const claimed = await begun(delivery_id)
  await queue.dropWaiting(webhook)
  expect(await queue.end(claimed, 'failed')).toBe(true)
})

test('an exhausted limit postpones what is due sooner, and brings back nothing that is due later', async () => {
  const [soon, late] = [await recorded(), await recorded()]
  const [until, later] = [new Date(Date.now() + 600_000), new Date(Date.now() + 3_600_000)]
  await deliveries.updateOne({ _id: late.delivery_id }, { $set: { due_at: later } })
  await queue.postponeWaiting({ queue: 'hooks.example.com' }, until, 'address')
  expect((await readDelivery(db, soon.delivery_id))?.due_at).toEqual(until)
  expect((await readDelivery(db, late.delivery_id))?.due_at).toEqual(later)
})
