import { connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import { createExitIds, exitsOf } from '@placefleet/coordinator/exits/documents'
import { createAgentRegistry } from '@placefleet/coordinator/fleet/agents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { noOutcomes } from '@placefleet/shared/outcome'
import { expect, onTestFinished, test } from 'vitest'
import { addCollectingAgent } from '../../harness/agents/collecting-agent.ts'
import { claimOn } from '../../harness/agents/task-call.ts'
import { AGENT_TOKEN, addCoordinator, coordinatorEnv, startWorld, type World } from '../../harness/coordinator/world.ts'
import { forwardProxy } from '../../harness/network/proxies.ts'
import { SCAN } from '../../harness/servers/scan.ts'
import { until } from '../../harness/until.ts'

/** A minute of the map site lasts two seconds, and so does one of coordinators and agents. */
const SCALE = 30
const FAST_TURNS = { timings: { ...TIMINGS, exitTurnsMs: TIMINGS.exitTurnsMs / SCALE } }
const PACE = {
  EXIT_RATE: `${24 * SCALE}:${24 * SCALE}`,
  EXIT_REST_SECONDS: '1',
  COLLECT_RUNG: 'http',
  AGENT_CONCURRENCY: '1',
}
/** A search for each of five agents. */
const KEYWORDS = ['bakery', 'gym in Berlin', 'cafe', 'hotel', 'pharmacy']
const CALM = { consent: false, blockPlainHttp: false } as const

async function mapSite(options: Parameters<Awaited<ReturnType<typeof startMapSite>>['setOptions']>[0]) {
  const site = await startMapSite({ seed: 11, places: 300 })
  onTestFinished(() => site.close())
  site.setOptions({ ...CALM, ...options })
  return site
}

const agents = (count: number, world: World, grpc: string, env: Record<string, string>) =>
  Promise.all(Array.from({ length: count }, () => addCollectingAgent(world, grpc, { ...PACE, ...env })))

test('five agents behind one address send at the pace of one exit', async () => {
  const site = await mapSite({ rateLimit: { requests: 30, windowMs: 60_000 / SCALE, blockMs: 60_000 } })
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world, {}, FAST_TURNS)
  await agents(5, world, grpc, { MAPS_BASE_URL: site.url })

  const job = await client.ended(await client.create({ keywords: KEYWORDS }), 100_000)

  expect(job.status).toBe('completed')
  const { total, refusals } = site.requests()
  expect(refusals).toEqual([])
  expect(total).toBeGreaterThan(30)
  const [exit, ...others] = await exitsOf(world.db).find().toArray()
  expect(others).toEqual([])
  expect(exit).toMatchObject({ kind: 'direct', name: 'private network' })
  expect(exit?.users.length).toBe(5)
}, 120_000)

test('twenty agents send through each of four proxies at the pace of one exit', async () => {
  const site = await mapSite({
    rateLimit: { requests: 30, windowMs: 60_000 / SCALE, blockMs: 60_000 },
    blockGrows: true,
  })
  const proxies = await Promise.all([2, 3, 4, 5].map((last) => forwardProxy({ localAddress: `127.0.0.${last}` })))
  const world = await startWorld()
  const EGRESS_ALLOW_HOSTS = proxies.map(({ address }) => address).join(',')
  const { client, grpc } = await addCoordinator(world, { EGRESS_ALLOW_HOSTS }, FAST_TURNS)
  await agents(20, world, grpc, { MAPS_BASE_URL: site.url, EGRESS_ALLOW_HOSTS })

  const began = Date.now()
  const job = await client.ended(
    await client.create({ keywords: KEYWORDS, proxies: proxies.map(({ url }) => url) }),
    200_000,
  )

  expect(job.status).toBe('completed')
  const { total, refusals } = site.requests()
  expect(refusals).toEqual([])
  const minutes = ((Date.now() - began) * SCALE) / 60_000
  expect(total / minutes).toBeLessThanOrEqual(4 * 30)
  const exits = await exitsOf(world.db).find({ kind: 'proxy' }, SCAN).toArray()
  expect(exits.length).toBe(4)
  expect(exits.flatMap(({ users }) => users).length).toBeGreaterThan(4) // agents share them
}, 240_000)

test('during a ban five agents send what they hold, and after the rest one of them a canary', async () => {
  const site = await mapSite({ rateLimit: { requests: 40, windowMs: 600_000, blockMs: 300 }, blockGrows: true })
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world, {}, FAST_TURNS)
  await agents(5, world, grpc, { MAPS_BASE_URL: site.url })

  const job = await client.ended(await client.create({ keywords: KEYWORDS }), 100_000)

  expect(job.status).toBe('completed')
  const { refused } = site.requests()
  const [blocks, during] = [refused['rate-limited'], refused['blocked-still']].map((kinds) =>
    Object.values(kinds).reduce((sum, count) => sum + count, 0),
  )
  expect(blocks).toBeGreaterThan(0)
  // Turns are given twice `exitTurnsMs` ahead: two at this pace, and one that was sent when the ban began.
  expect(during).toBeLessThanOrEqual(3 * (blocks ?? 0))
}, 120_000)

test('a refused task goes at once to an agent on another exit, and to none on the same', async () => {
  const world = await startWorld()
  const { client, grpc } = await addCoordinator(world)
  const ids = createExitIds(Buffer.from(coordinatorEnv(world).SECRETS_KEY ?? '', 'base64'))
  const registry = createAgentRegistry(world.db)
  const agent = { name: 'x', version: '1', protocol: 1, host: 'h', slots: 1, busy: 0, draining: false, resting: [] }
  const connect = async (exitName: string) => {
    const agent_id = crypto.randomUUID()
    const exit = { ...ids.direct(exitName), name: exitName, by: 'name' } as const
    await registry.record(agent_id, { ...agent, agent_id, drifted: [] }, { name: undefined, exit }, 'r')
    const coordinator = connectCoordinator(grpc, AGENT_TOKEN, undefined, { exitName })
    onTestFinished(() => coordinator.close())
    return (task_id: string) => claimOn(coordinator, { task_id, agent_id })
  }
  const [one, same, other] = [await connect('one'), await connect('one'), await connect('other')]
  const job_id = await client.create({ keywords: ['bakery'] })
  const released = () =>
    until('the task is released', async () => (await tasksOf(world.db).findOne({ job_id, state: 'released' }))?._id)
  const refused = one(await released())
  expect(await refused.next()).toMatchObject({ $case: 'assignment' })
  const said = { seconds: 3_600, outcomes: noOutcomes(), website_visits: undefined, wants_browser: false }
  refused.event(1n, { $case: 'snoozed', value: said })
  expect(await refused.next()).toMatchObject({ $case: 'acknowledgement' })

  const task_id = await released()
  expect(await same(task_id).next()).toEqual({ $case: 'refusal', value: { reason: 'resting' } })
  expect(await other(task_id).next()).toMatchObject({ $case: 'assignment' })
})
