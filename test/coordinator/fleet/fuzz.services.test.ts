import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { RegisterRequest, RunTaskRequest } from '@placefleet/proto/fleet'
import { noOutcomes } from '@placefleet/shared/outcome'
import { encodePlace } from '@placefleet/shared/protocol'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { eventOf } from '../../harness/agents/task-call.ts'
import { anyText } from '../../harness/any-text.ts'
import { AGENT_TOKEN, addCoordinator, startWorld } from '../../harness/coordinator/world.ts'
import { volume } from '../../harness/volume.ts'

const SEED = 20_260_101
const MESSAGES = volume(100, 5_000)
const AT_ONCE = MESSAGES / 25
const PATH = '/placefleet.v1.FleetService/'
const UUID = '3f0e6a52-8f5b-4f0b-9d3e-0a5a7c1d2e3f'

type Shot = { method: string; bytes: Buffer }

const text = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom('__proto__', 'constructor', '{"$where":"1"}', 'a\u0000b', '../..', UUID, 'x'.repeat(100_000)),
)
const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 900, 2 ** 53))
const uint32 = fc.nat({ max: 0xffff_ffff })
const sequence = fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))

const place = fc
  .record({ place_key: text, title: text, website: text, latitude: number, rating: number, review_count: uint32 })
  .map((wrong) => encodePlace({ ...placeOf(1), ...wrong, social_links: { [wrong.title]: wrong.website } }))
const outcomes = fc.record({ empty: uint32, blocked: uint32, broken: uint32 }).map((counts) => ({
  ...noOutcomes(),
  ...counts,
}))
const said = fc.oneof(
  fc.array(place, { maxLength: 12 }).map((places) => ({ $case: 'places', value: { places } }) as const),
  fc.constant({ $case: 'places', value: { places: Array(600).fill(encodePlace(placeOf(1))) } } as const),
  fc
    .array(fc.record({ place_key: text, latitude: number }), { maxLength: 5 })
    .map((references) => ({ $case: 'references', value: { references } }) as const),
  outcomes.map((counts) => ({ $case: 'finished', value: { outcomes: counts } }) as const),
  fc.tuple(text, outcomes).map(([code, counts]) => {
    return { $case: 'failed', value: { code, message: code, outcomes: counts } } as const
  }),
)
const request = fc.oneof(
  fc
    .record({ task_id: text, agent_id: text, resume_attempt: fc.option(uint32, { nil: undefined }) })
    .map((value) => ({ $case: 'claim', value }) as const),
  fc.constant({ $case: 'heartbeat', value: {} } as const),
  fc.tuple(sequence, fc.array(said, { maxLength: 2 })).map(([number, says]) => {
    return { $case: 'event', value: eventOf(number, ...says) } as const
  }),
)
const description = fc.record({
  agent_id: text,
  name: text,
  version: text,
  protocol: uint32,
  host: text,
  slots: uint32,
  busy: uint32,
  draining: fc.boolean(),
  resting: fc.array(fc.record({ reason: text, count: uint32 })),
  drifted: fc.array(text),
  unknown_answers: fc.array(fc.record({ id: text, path: text, status: uint32, text })),
})

const wellFormed: fc.Arbitrary<Shot> = fc.oneof(
  request.map((message) => ({ method: 'RunTask', bytes: Buffer.from(RunTaskRequest.encode({ message }).finish()) })),
  description.map((said) => ({ method: 'Register', bytes: Buffer.from(RegisterRequest.encode(said).finish()) })),
)
const mutated: fc.Arbitrary<Shot> = fc.tuple(wellFormed, fc.nat(), fc.nat({ max: 255 })).map(([shot, at, value]) => {
  const bytes = Buffer.from(shot.bytes)
  if (bytes.length > 0) bytes[at % bytes.length] = value
  return { ...shot, bytes: value % 3 === 0 ? bytes.subarray(0, at % (bytes.length + 1)) : bytes }
})
const garbage: fc.Arbitrary<Shot> = fc.record({
  method: fc.constantFrom('RunTask', 'Register'),
  bytes: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
})

const as = (bytes: Buffer): Buffer => bytes

/** Sends messages on a stream of their own, and waits for its end. */
function fire(client: Client, method: string, messages: Buffer[]): Promise<void> {
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${AGENT_TOKEN}`)
  const call = client.makeBidiStreamRequest(`${PATH}${method}`, as, as, metadata)
  return new Promise((resolve) => {
    call
      .on('data', () => undefined)
      .on('error', () => resolve())
      .on('end', () => resolve())
    for (const message of messages) call.write(message)
    call.end()
  })
}

test(`${MESSAGES} messages that no agent sends leave the same coordinator at work`, async () => {
  const world = await startWorld()
  const coordinator = await addCoordinator(world, { MAX_CONCURRENT_JOBS_FREE: '1000' })
  const client = new Client(coordinator.grpc, credentials.createInsecure())
  onTestFinished(() => client.close())
  const shots = fc.sample(fc.oneof(wellFormed, mutated, garbage), { seed: SEED, numRuns: MESSAGES })
  const claims: string[] = []

  for (let from = 0; from < shots.length; from += AT_ONCE) {
    if (claims.length < 15) await coordinator.client.create({ keywords: ['one'], fast_mode: true })
    const task = await world.db.collection<{ _id: string; state: string }>('tasks').findOne({ state: 'released' })
    const opening = task ? [claimBytes(task._id)] : []
    if (task) claims.push(task._id)
    const batch = shots.slice(from, from + AT_ONCE)
    await Promise.all(
      batch.map(({ method, bytes }, index) =>
        fire(client, method, index < 2 && method === 'RunTask' ? [...opening, bytes] : [bytes]),
      ),
    )
  }

  expect(claims.length).toBeGreaterThanOrEqual(10)
  expect((await coordinator.client.call('GET', '/health')).status).toBe(200)
  await addAgent(world, coordinator.grpc, scriptedCollector({ find: () => [1, 2, 3] }))
  const job = await coordinator.client.ended(await coordinator.client.create({ keywords: ['well'] }), 60_000)
  expect(job).toMatchObject({ status: 'completed', result_count: 3 })
}, 180_000)

const claimBytes = (task_id: string): Buffer => {
  const claim = { task_id, agent_id: crypto.randomUUID() }
  return Buffer.from(RunTaskRequest.encode({ message: { $case: 'claim', value: claim } }).finish())
}
