import { startMapSite } from '@placefleet/deploy/simulation/map-site/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runOps } from '../coordinator/operator/commands/run-ops.ts'
import type { Client } from '../harness/coordinator/client.ts'
import {
  type CoordinatorProcess,
  type Running,
  startAgentProcess,
  startCoordinatorProcess,
} from '../harness/coordinator/processes.ts'
import { startWorld, type World } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'
import { type EarlierVersion, installEarlierVersion } from './earlier-version.ts'

let earlier: EarlierVersion
beforeAll(() => {
  earlier = installEarlierVersion()
  console.log(`The earlier version is ${earlier.revision}.`)
})
afterAll(() => earlier?.remove())

/** Returns a database, a queue and a simulated map site, and both versions' programs on them. */
async function prepare() {
  const site = await startMapSite({ seed: 8, places: 900, options: { latencyMs: { min: 40, max: 80 } } })
  onTestFinished(() => site.close())
  const world = await startWorld()
  const settings = { MAPS_BASE_URL: site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }
  return {
    site,
    world,
    earlierCoordinator: () => startCoordinatorProcess(world, {}, earlier.root),
    thisCoordinator: () => startCoordinatorProcess(world),
    earlierAgent: (coordinator: CoordinatorProcess) =>
      startAgentProcess(world, coordinator.grpc, settings, earlier.root),
    thisAgent: (coordinator: CoordinatorProcess) => startAgentProcess(world, coordinator.grpc, settings),
  }
}

const keysOf = async (client: Client, id: string) => (await client.places(id)).map((place) => place.data_id).toSorted()
const stop = (...programs: Running[]) => Promise.all(programs.map((program) => program.kill('SIGTERM')))

async function expectLedgerToBeRight(world: World): Promise<void> {
  const verified = await runOps(['ledger', 'verify'], { MONGODB_URL: world.mongoUrl })
  expect(verified).toMatchObject({ code: 0 })
}

test('this version reads, bills and continues the jobs of the earlier one', async () => {
  const { site, world, ...start } = await prepare()
  const before = await start.earlierCoordinator()
  const agentBefore = start.earlierAgent(before)
  const done = await before.client.create({ keywords: ['bakery'], max_results: 500 })
  expect(await before.client.ended(done, 120_000)).toMatchObject({ status: 'completed' })
  const stored = { job: await before.client.job(done), places: await before.client.places(done) }
  const open = await before.client.create({ keywords: ['dentist'], depth: 6, max_results: 500 })
  await until('the second job has places', async () => (await before.client.job(open)).result_count >= 10)

  await stop(agentBefore, before)
  const after = await start.thisCoordinator()
  start.thisAgent(after)

  expect(await after.client.job(done)).toMatchObject({
    status: 'completed',
    result_count: stored.job.result_count,
    total_cost: stored.job.total_cost,
  })
  expect(await keysOf(after.client, done)).toEqual(stored.places.map((place) => place.data_id).toSorted())
  expect(await after.client.ended(open, 120_000)).toMatchObject({ status: 'completed' })
  expect(await keysOf(after.client, open)).toEqual(site.city.keysOf('dentist'))
  await expectLedgerToBeRight(world)
})

test('both versions work side by side, with the agents of either', async () => {
  const { site, world, ...start } = await prepare()
  const before = await start.earlierCoordinator()
  const agentBefore = start.earlierAgent(before)
  const first = await before.client.create({ keywords: ['bakery'], depth: 6, max_results: 500 })
  await until('it has places', async () => (await before.client.job(first)).result_count >= 10)

  const after = await start.thisCoordinator()
  const second = await after.client.create({ keywords: ['dentist'], max_results: 500 })
  const agentAfter = start.thisAgent(before)
  expect(await before.client.ended(first, 120_000)).toMatchObject({ status: 'completed' })
  expect(await after.client.ended(second, 120_000)).toMatchObject({ status: 'completed' })
  await stop(agentBefore, agentAfter)
  start.earlierAgent(after)
  const third = await before.client.create({ keywords: ['hotel'], max_results: 500 })
  expect(await after.client.ended(third, 120_000)).toMatchObject({ status: 'completed' })

  for (const [id, keyword] of [
    [first, 'bakery'],
    [second, 'dentist'],
    [third, 'hotel'],
  ] as const)
    for (const { client } of [before, after]) expect(await keysOf(client, id)).toEqual(site.city.keysOf(keyword))
  await expectLedgerToBeRight(world)
})
