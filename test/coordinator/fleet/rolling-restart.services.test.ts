import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskDocument } from '@placefleet/coordinator/tasks/documents'
import { expect, test } from 'vitest'
import { addAgent } from '../../harness/agents/agent.ts'
import { scriptedCollector } from '../../harness/agents/scripted-collector.ts'
import { createClient } from '../../harness/coordinator/client.ts'
import { startCoordinatorProcess } from '../../harness/coordinator/processes.ts'
import { API_KEY, addCoordinator, type Ports, startWorld, type World } from '../../harness/coordinator/world.ts'
import { startBalancer } from '../../harness/network/balancer.ts'
import { until } from '../../harness/until.ts'

const ENV = { DRAIN_SECONDS: '4' }
const PLACES = 120

/** Four clients ask, so some request is always under way or about to come. */
const BETWEEN_REQUESTS_MS = 160

/** Sends requests until the signal. `stop` returns every failure. */
function askConstantly(url: string, path: () => string) {
  const client = createClient(url, API_KEY)
  const failures: unknown[] = []
  let [asked, over] = [0, false]
  const ask = async () => {
    while (!over) {
      const answer = await client.call('GET', path()).catch((error: unknown) => ({ status: 0, error }))
      asked += 1
      if (answer.status !== 200) failures.push(answer)
      await sleep(BETWEEN_REQUESTS_MS)
    }
  }
  const asking = Promise.all([ask(), ask(), ask(), ask()])
  const stop = async () => {
    over = true
    await asking
    return failures
  }
  return { asked: () => asked, stop }
}

/** A coordinator with its ports. `restart` stops it as an orchestrator does, and starts its successor there. */
type Restartable = { ports: Ports; url: string; restart(): Promise<void> }

/** Starts the successor of a coordinator in this process: a process of its own would show nothing more. */
const startSuccessor = (world: World, ports: Ports) => addCoordinator(world, { ...ENV, ...ports })

/** A process, which shows that SIGTERM drains it. */
async function restartableProcess(world: World): Promise<Restartable> {
  const { ports, url, kill } = await startCoordinatorProcess(world, ENV)
  const restart = async () => {
    expect(await kill('SIGTERM')).toBe(0)
    await startSuccessor(world, ports)
  }
  return { ports, url, restart }
}

/** One in this process, which ends as the program does on SIGTERM. */
async function restartableHere(world: World): Promise<Restartable> {
  const { url, ports, drain, close } = await addCoordinator(world, ENV)
  const restart = async () => {
    await drain()
    await close()
    await startSuccessor(world, ports)
  }
  return { ports, url, restart }
}

test('restarting coordinators one after the other fails no request, and the job continues without a spent attempt', async () => {
  const world = await startWorld()
  const coordinators = [await restartableProcess(world), await restartableHere(world)]
  const backend = (kind: keyof Ports) => (coordinator: Restartable) => ({
    port: Number(coordinator.ports[kind]),
    health: `${coordinator.url}/health`,
  })
  const ofApi = await startBalancer(coordinators.map(backend('PORT')))
  const ofGrpc = await startBalancer(coordinators.map(backend('GRPC_PORT')))
  const [api, grpc] = [`http://${ofApi.address}`, ofGrpc.address]
  const collected: string[] = []
  const restarts = coordinators.map(() => Promise.withResolvers<void>())
  const script = scriptedCollector({
    find: () => Array.from({ length: PLACES }, (_, n) => n),
    before: async (_, { place_key }) => {
      // Each restart meets tasks that still have places to collect.
      if (collected.length >= PLACES / 3) await restarts[0]?.promise
      if (collected.length >= (2 * PLACES) / 3) await restarts[1]?.promise
      collected.push(place_key)
    },
  })
  await addAgent(world, grpc, script, 3)
  const job_id = await createClient(api, API_KEY).create({ keywords: ['one'], max_results: PLACES })
  const asking = askConstantly(api, () => `/api/v1/jobs/${job_id}`)

  const askedMeanwhile: number[] = []
  for (const [nth, coordinator] of coordinators.entries()) {
    const before = asking.asked()
    await coordinator.restart()
    askedMeanwhile.push(asking.asked() - before)
    await Promise.all([ofApi.sees(nth), ofGrpc.sees(nth)]) // as an orchestrator waits
    restarts[nth]?.resolve()
  }

  const client = createClient(api, API_KEY)
  const job = await until('the job has ended', async () => {
    const current = await client.job(job_id)
    return current.status === 'completed' && current
  })
  expect(await asking.stop()).toEqual([])
  expect(Math.min(...askedMeanwhile)).toBeGreaterThan(0)
  expect(job).toMatchObject({ result_count: PLACES, outcomes: { duplicate: 0 } })
  expect(collected.length).toBe(PLACES)
  const tasks = await world.db.collection<TaskDocument>('tasks').find({ job_id }).toArray()
  expect(tasks.map(({ failures: spent }) => spent)).toEqual(tasks.map(() => 0))
}, 120_000)
