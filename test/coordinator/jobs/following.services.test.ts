import { FollowEvent } from '@placefleet/coordinator/jobs/following/schema'
import type { PlaceReference } from '@placefleet/shared/place'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { keyOf, scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld, type TestCoordinator } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'

const PLACES = 12
/** More than a follower reads at a time. */
const MANY = 120
const range = (count: number) => Array.from({ length: count }, (_, n) => n)
const AUTHORIZED = { authorization: `Bearer ${API_KEY}` }
const request = { keywords: ['bakery'], max_results: PLACES }

const world = await startWorld(afterAll)
const [one, other] = [await addCoordinator(world), await addCoordinator(world)]

/** The agent keeps the places from this number on until the gate is opened. A task that is repeated meets the same gate. */
const gate = { from: Number.POSITIVE_INFINITY, opened: Promise.withResolvers<void>() }
const keys = range(MANY).map(keyOf)
const before = async (_task: unknown, { place_key }: PlaceReference) => {
  if (keys.indexOf(place_key) >= gate.from) await gate.opened.promise
}
await addAgent(
  world,
  one.grpc,
  scriptedCollector({ find: (keyword) => range(keyword === 'many' ? MANY : PLACES), before }),
  1,
)

/** Lets this many places through, and the others once the gate is opened, at the latest after the test. */
function holdAfter(places: number): void {
  onTestFinished(open)
  gate.from = places
  gate.opened = Promise.withResolvers()
}

function open(): void {
  gate.from = Number.POSITIVE_INFINITY
  gate.opened.resolve()
}

const follow = (coordinator: TestCoordinator, path: string, headers: Record<string, string> = {}) =>
  fetch(`${coordinator.url}/api/v1/jobs/${path}`, { headers: { ...AUTHORIZED, ...headers } })

/** Returns what a stream sends until it ends. An answer that refuses it would look like a stream without events. */
async function streamed(coordinator: TestCoordinator, path: string): Promise<FollowEvent[]> {
  const answer = await follow(coordinator, path)
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return eventsOf(text)
}

const eventsOf = (text: string): FollowEvent[] =>
  text
    .split('\n')
    .slice(0, -1) // what stands behind the last newline may be cut
    .filter((line) => line !== '')
    .map((line) => FollowEvent.parse(JSON.parse(line)))

const positionsOf = (events: FollowEvent[]) =>
  events.flatMap((event) => (event.type === 'place' ? [event.position] : []))

const ALL = range(PLACES).map((n) => n + 1)

test('a follower is sent each place once and in order, the progress and the end, from any coordinator', async () => {
  const job_id = await one.client.create(request)

  const events = await streamed(other, `${job_id}/stream`)

  expect(positionsOf(events)).toEqual(ALL)
  expect(events.filter(({ type }) => type === 'progress').length).toBeGreaterThan(0)
  expect(events.at(-1)).toEqual({ type: 'end', status: 'completed' })
  const places = await one.client.places(job_id)
  expect(events.flatMap((event) => (event.type === 'place' ? [event.place.id] : []))).toEqual(
    places.map(({ id }) => id),
  )
})

test('a follower of an ended job with more places than it reads at a time is sent all of them before the end', async () => {
  const job_id = await one.client.create({ keywords: ['many'], max_results: MANY })
  await one.client.ended(job_id)

  const events = await streamed(other, `${job_id}/stream`)

  expect(positionsOf(events)).toEqual(range(MANY).map((n) => n + 1))
  expect(events.at(-1)).toEqual({ type: 'end', status: 'completed' })
})

test('a stream that is cut after any byte is resumed without gaps or repeats', async () => {
  const job_id = await one.client.create(request)
  const whole = await (await follow(one, `${job_id}/stream`)).text()
  const rests = new Map<number, FollowEvent[]>()
  for (const after of [0, ...ALL]) {
    rests.set(after, await streamed(other, `${job_id}/stream?after=${after}`))
  }

  for (const bytes of cutsOf(whole)) {
    const before = eventsOf(whole.slice(0, bytes))
    const rest = rests.get(positionsOf(before).at(-1) ?? 0) ?? []
    expect(positionsOf([...before, ...rest])).toEqual(ALL)
    expect(rest.at(-1)).toEqual({ type: 'end', status: 'completed' })
  }
})

/**
 * Returns where to cut a stream: around each newline. A reader drops a line that has none, so all cuts within a line
 * are alike.
 */
const cutsOf = (whole: string) => [0, ...[...whole.matchAll(/\n/g)].flatMap(({ index }) => [index, index + 1])]

test('server-sent events have the cursor as their id, and a browser that reconnects after the end gets 204', async () => {
  const job_id = await one.client.create(request)
  await one.client.ended(job_id)

  const answer = await follow(one, `${job_id}/events`, { 'last-event-id': '9' })
  const text = await answer.text()

  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  expect([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id)).toEqual(['10', '11', '12', '12', 'end'])
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => FollowEvent.parse(JSON.parse(json ?? '')))
  expect(positionsOf(data)).toEqual([10, 11, 12])
  expect((await follow(one, `${job_id}/events`, { 'last-event-id': 'end' })).status).toBe(204)
  expect((await follow(one, `${job_id}/events`, { 'last-event-id': 'x' })).status).toBe(400)
})

test.each(['events', 'stream'])('a follower of the %s without places gets the progress and the end', async (kind) => {
  const job_id = await one.client.create(request)

  const text = await (await follow(other, `${job_id}/${kind}?places=false`)).text()

  const events = [...text.matchAll(/^(?:data: )?(\{.*)$/gm)].map(([, json]) =>
    FollowEvent.parse(JSON.parse(json ?? '')),
  )
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['progress', 'end']))
  expect(events.at(-2)).toMatchObject({ type: 'progress', result_count: PLACES })
  const ids = new Set([...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id))
  expect(ids).toEqual(new Set(kind === 'events' ? ['0', 'end'] : []))
  expect((await follow(one, `${job_id}/${kind}?places=no`)).status).toBe(400)
})

test('a draining coordinator ends its streams, and another one sends the rest', async () => {
  const leaving = await addCoordinator(world, { DRAIN_SECONDS: '1' })
  holdAfter(5)
  const job_id = await one.client.create(request)
  const answer = await follow(leaving, `${job_id}/stream`)
  await until('five places are stored', async () => (await one.client.job(job_id)).result_count === 5)

  const [text] = await Promise.all([answer.text(), leaving.drain()])
  await leaving.close()
  open()
  const last = positionsOf(eventsOf(text)).at(-1) ?? 0
  const rest = await streamed(one, `${job_id}/stream?after=${last}`)

  expect(text).not.toContain('"end"')
  expect(positionsOf([...eventsOf(text), ...rest])).toEqual(ALL)
  expect(rest.at(-1)).toEqual({ type: 'end', status: 'completed' })
})

test('a user has at most ten streams open over all coordinators; a closed one makes room', async () => {
  holdAfter(0)
  const job_id = await one.client.create(request)
  const readers = [...Array(10).keys()].map(() => new AbortController())
  for (const [index, { signal }] of readers.entries()) {
    const at = index % 2 === 0 ? one : other
    const opened = await fetch(`${at.url}/api/v1/jobs/${job_id}/stream`, { headers: AUTHORIZED, signal })
    expect(opened.status).toBe(200)
  }
  const refused = await one.client.call('GET', `/api/v1/jobs/${job_id}/events`)
  expect([refused.status, refused.body]).toMatchObject([429, { error: 'rate_limited' }])

  readers[0]?.abort()
  const again = await until('there is room for another', async () => {
    const answer = await follow(one, `${job_id}/stream`)
    return answer.status === 200 && answer
  })
  open()
  expect(eventsOf(await again.text()).at(-1)).toMatchObject({ type: 'end' })
  for (const reader of readers) reader.abort()
})

test('twenty requests of a user wait for jobs, over the API and MCP together; one more is refused at once', async () => {
  holdAfter(0)
  const job_id = await one.client.create(request)
  await until('the job runs', async () => (await one.client.job(job_id)).status === 'running')
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const waiting = range(20).map((nth) =>
    fetch(`${(nth % 2 === 0 ? one : other).url}/api/v1/jobs/${job_id}?wait=60`, {
      headers: AUTHORIZED,
      signal: leave.signal,
    }),
  )
  const leases = async () =>
    (await world.db.collection<{ _id: string; leases: unknown[] }>('limits').findOne({ _id: /^waits:/ }))?.leases ?? []
  await until('all of them wait', async () => (await leases()).length === 20)

  const beyond = await follow(one, `${job_id}?wait=1`)
  expect([beyond.status, await beyond.json()]).toMatchObject([429, { error: 'rate_limited' }])
  const call = { name: 'get_job', arguments: { job_id, wait: 30 } }
  const tool = await fetch(`${one.url}/mcp`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  expect(await tool.text()).toContain('20 of your requests wait for jobs already')
  expect((await follow(one, job_id)).status, 'without a wait').toBe(200)

  open()
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status)).toEqual(range(20).map(() => 200))
  await until('their ends are counted', async () => (await leases()).length === 0)
})

test('a running job says when it likely ends once it collects, and no more after its end', async () => {
  holdAfter(8)
  const job_id = await one.client.create(request)

  const eta = await until('the job knows its end', async () => (await one.client.job(job_id)).progress.eta)
  expect(Date.parse(eta)).toBeGreaterThan(Date.now())

  open()
  expect((await one.client.ended(job_id)).progress).not.toHaveProperty('eta')
})

test('streams of a dead coordinator count for 25 seconds at most', async () => {
  holdAfter(0)
  const job_id = await one.client.create(request)
  const limits = world.db.collection<{ _id: string; leases: { id: string; expires_at: Date }[] }>('limits')
  const ofStreams = { _id: /^streams:/ }
  await limits.deleteMany(ofStreams)
  const reader = new AbortController()
  const opened = () => fetch(`${one.url}/api/v1/jobs/${job_id}/stream`, { headers: AUTHORIZED, signal: reader.signal })
  expect((await opened()).status).toBe(200)

  const { leases = [] } = (await limits.findOne(ofStreams)) ?? {}
  expect(leases).toEqual([{ id: expect.any(String), expires_at: expect.any(Date) }])
  expect(leases[0]?.expires_at.getTime()).toBeLessThanOrEqual(Date.now() + 25_000)
  const dead = [...Array(10).keys()].map((nth) => ({ id: `dead ${nth}`, expires_at: new Date(0) }))
  await limits.updateOne(ofStreams, { $set: { leases: dead } })

  const again = await opened()
  open()
  expect(eventsOf(await again.text()).at(-1)).toMatchObject({ type: 'end' })
  reader.abort()
})

test('a request with `wait` is answered when the status changes, whichever coordinator changes it', async () => {
  holdAfter(1)
  const job_id = await one.client.create(request)
  await until('the job runs', async () => (await one.client.job(job_id)).status === 'running')

  const waiting = other.client.call('GET', `/api/v1/jobs/${job_id}?wait=60`)
  open()

  expect((await waiting).body).toMatchObject({ id: job_id, status: 'completed' })
  expect((await one.client.call('GET', `/api/v1/jobs/${job_id}?wait=60`)).body).toMatchObject({ status: 'completed' })
  expect((await one.client.call('GET', `/api/v1/jobs/${job_id}?wait=61`)).status).toBe(400)
})
