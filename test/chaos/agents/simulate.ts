import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { readTree } from '../../bench/process-tree.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { AGENT_TOKEN, type Fleet, removeFleet, startFleet } from '../fleet/fleet.ts'
import { callApi } from '../users/client.ts'

type SimulateOptions = { agents: number; coordinators: number; seconds: number; pace: number }

const USERS = 20
const HOSTS = 2
const FOUND = 100
const ACTIVE_JOBS = 6
const HOST = join(import.meta.dirname, 'host.ts')

/**
 * Runs many simulated agents against real coordinators, as busy as their pace lets them be, and measures. Rates are
 * means over the time measured.
 */
export async function simulateAgents(options: SimulateOptions, say: (line: string) => void) {
  const { coordinators } = options
  const env = { LOG_LEVEL: 'warn', MAX_CONCURRENT_JOBS_FREE: '1000' }
  const fleet = await startFleet({ seed: 1, coordinators, agents: 0, places: 12, env })
  const hosts: ChildProcess[] = []
  try {
    say(`${coordinators} coordinators; starting ${options.agents} agents`)
    await Promise.all(Array.from({ length: HOSTS }, (_, n) => startHost(fleet, options, n, hosts)))
    say('all are registered; starting jobs')
    return await measured(fleet, options, hosts, say)
  } finally {
    for (const host of hosts) host.kill('SIGKILL')
    await removeFleet(fleet, false)
  }
}

async function startHost(fleet: Fleet, options: SimulateOptions, n: number, hosts: ChildProcess[]): Promise<void> {
  const settings = {
    agents: Math.floor(options.agents / HOSTS) + (n < options.agents % HOSTS ? 1 : 0),
    natsUrl: fleet.nats.agentUrl,
    grpc: fleet.coordinators.map(({ grpcPort }) => `127.0.0.1:${grpcPort}`),
    token: AGENT_TOKEN,
    pace_ms: options.pace,
    found: FOUND,
  }
  const host = spawn(process.execPath, [HOST, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  hosts.push(host)
  const ended = once(host, 'exit').then(([code]) => {
    throw new Error(`the agents ended with ${code}`)
  })
  await Promise.race([once(createInterface(host.stdout), 'line'), ended])
  ended.catch(() => undefined) // they are killed in the end
}

async function measured(
  fleet: Fleet,
  { agents, coordinators, seconds: duration, pace }: SimulateOptions,
  hosts: ChildProcess[],
  say: (line: string) => void,
) {
  const stopping = new AbortController()
  const users = await Promise.all(Array.from({ length: USERS }, () => addUser(fleet.db, 1_000_000)))
  const working = users.map(({ key }, n) => keepOrdering(fleet, key, n, stopping.signal))
  await sleep(10_000) // until every agent has its first task
  const pids = {
    ...Object.fromEntries(fleet.coordinators.map(({ child }) => [child.name, child.pid()])),
    mongo: fleet.mongo.pid ?? 0,
    nats: fleet.nats.pid ?? 0,
    ...Object.fromEntries(hosts.map(({ pid = 0 }, n) => [`agents-${n + 1}`, pid])),
  }
  const look = async () => ({
    at: performance.now(),
    ...(await countsOf(fleet)),
    used: Object.values(pids).map(readTree),
  })
  const before = await look()
  const [health_ms, busy] = await Promise.all([watchHealth(fleet, duration), watchBusy(fleet, duration, say)])
  const after = await look()
  stopping.abort()
  await Promise.all(working)
  const seconds = (after.at - before.at) / 1_000
  const processes = Object.keys(pids).map((name, nth) => {
    const cpu = ((after.used[nth]?.cpuSeconds ?? 0) - (before.used[nth]?.cpuSeconds ?? 0)) / seconds
    return [name, { cpu_percent: Math.round(cpu * 100), rss_mb: Math.round(after.used[nth]?.megabytes ?? 0) }]
  })
  return {
    agents,
    coordinators,
    offered_places_a_second: Math.round((agents * 1_000) / pace),
    places_a_second: Math.round((after.places - before.places) / seconds),
    claims_a_second: Math.round((after.attempts - before.attempts) / seconds),
    /** Agents that had a task at a time, on average. */
    busy_agents: Math.round(busy),
    health_ms,
    expired_leases: after.failures,
    processes: Object.fromEntries(processes),
  }
}

/** Keeps some jobs of a user under way, each of five searches of a hundred places. */
async function keepOrdering(
  { coordinators, db }: Fleet,
  key: string,
  user: number,
  signal: AbortSignal,
): Promise<void> {
  const ids: string[] = []
  const active = { _id: { $in: ids }, status: { $in: ['pending', 'running'] } }
  const countActive = () => db.collection<{ _id: string; status: string }>('jobs').countDocuments(active)
  for (let n = 0; !signal.aborted; n++) {
    const base = coordinators[n % coordinators.length]?.url ?? ''
    const keywords = Array.from({ length: 5 }, (_, index) => `town ${user * 100_000 + n * 5 + index}`)
    const body = { name: `job ${n}`, language: 'en', keywords, max_results: 500 }
    const { answer } = await callApi(base, key, 'POST', '/api/v1/jobs', { body })
    if (answer.status === 201) ids.push(CreatedJob.parse(answer.body).id)
    while (!signal.aborted && (await countActive()) >= ACTIVE_JOBS) {
      await sleep(1_000, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function countsOf({ db }: Fleet): Promise<{ places: number; attempts: number; failures: number }> {
  const sums = { _id: null, attempts: { $sum: '$attempt' }, failures: { $sum: '$failures' } }
  const [{ attempts = 0, failures = 0 } = {}] = await tasksOf(db)
    .aggregate<{ attempts?: number; failures?: number }>([{ $group: sums }])
    .toArray()
  const places = await resultsOf(db).countDocuments({ place_key: { $exists: true } })
  return { places, attempts, failures }
}

/** Returns how long coordinators take to answer a request that does next to nothing. */
async function watchHealth({ coordinators }: Fleet, seconds: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  const until = performance.now() + seconds * 1_000
  for (let n = 0; performance.now() < until; n++) {
    const begun = performance.now()
    await fetch(`${coordinators[n % coordinators.length]?.url}/health`).then((response) => response.text())
    times.push(performance.now() - begun)
    await sleep(100)
  }
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return { p50: at(0.5), p99: at(0.99) }
}

async function watchBusy({ db }: Fleet, seconds: number, say: (line: string) => void): Promise<number> {
  const seen: number[] = []
  for (let second = 0; second < seconds; second += 2) {
    seen.push(await tasksOf(db).countDocuments({ state: 'running' }))
    if (second % 10 === 0) say(`${seen.at(-1)} agents have a task`)
    await sleep(2_000)
  }
  return seen.reduce((sum, one) => sum + one, 0) / seen.length
}
