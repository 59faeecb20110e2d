import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey, createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { createLedger } from '@placefleet/coordinator/billing/ledger/ledger'
import { mongoLedgerStore } from '@placefleet/coordinator/billing/ledger/store'
import { microCredits } from '@placefleet/coordinator/billing/prices/cost'
import { CreatedJob } from '@placefleet/coordinator/jobs/schema'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { type Fleet, removeFleet, startFleet } from '../fleet/fleet.ts'
import { callApi } from '../users/client.ts'

export type SimulateOptions = { agents: number; coordinators: number; seconds: number; paceMs: number }

/** What a fleet of simulated agents came to; rates are means over the time measured. */
export type Simulated = {
  agents: number
  coordinators: number
  offered_places_a_second: number
  places_a_second: number
  claims_a_second: number
  /** Agents that had a task at a time, on average. */
  busy_agents: number
  health_ms: { p50: number; p99: number }
  expired_leases: number
  processes: Record<string, { cpu_percent: number; rss_mb: number }>
}

const USERS = 20
const HOSTS = 2
const FOUND = 100
const ACTIVE_JOBS = 6
const HOST = join(import.meta.dirname, 'host.ts')

/** Runs many simulated agents against real coordinators, as busy as their pace lets them be, and measures. */
export async function simulateAgents(options: SimulateOptions, say: (line: string) => void): Promise<Simulated> {
  const fleet = await startFleet({
    seed: 1,
    coordinators: options.coordinators,
    agents: 0,
    places: 12,
    env: { LOG_LEVEL: 'warn', MAX_CONCURRENT_JOBS_FREE: '1000' },
  })
  const hosts: ChildProcess[] = []
  try {
    say(`${options.coordinators} coordinators; starting ${options.agents} agents`)
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
    token: 'a long token for all chaos',
    pace_ms: options.paceMs,
    found: FOUND,
  }
  const host = spawn(process.execPath, [HOST, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  hosts.push(host)
  if (!host.stdout) throw new Error('the agents have no stdout')
  const ready = Promise.withResolvers<void>()
  createInterface(host.stdout).on('line', (line) => {
    if (line.includes('ready')) ready.resolve()
  })
  host.once('exit', (code) => ready.reject(new Error(`the agents ended with ${code}`)))
  await ready.promise
}

async function measured(
  fleet: Fleet,
  options: SimulateOptions,
  hosts: ChildProcess[],
  say: (line: string) => void,
): Promise<Simulated> {
  const stopping = new AbortController()
  const users = await createUsers(fleet)
  const working = users.map((key, n) => keepOrdering(fleet, key, n, options, stopping.signal))
  await sleep(10_000) // until every agent has its first task
  const pids = processesOf(fleet, hosts)
  const before = { at: performance.now(), cpu: cpuOf(pids), ...(await countsOf(fleet)) }
  const [health, busy] = await Promise.all([
    watchHealth(fleet, options.seconds),
    watchBusy(fleet, options.seconds, say),
  ])
  const after = { at: performance.now(), cpu: cpuOf(pids), ...(await countsOf(fleet)) }
  stopping.abort()
  await Promise.all(working)
  const seconds = (after.at - before.at) / 1_000
  const processes = Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const cpu = ((after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)) / seconds
      return [name, { cpu_percent: Math.round(cpu * 100), rss_mb: rssOf(pid) }]
    }),
  )
  return {
    agents: options.agents,
    coordinators: options.coordinators,
    offered_places_a_second: Math.round((options.agents * 1_000) / options.paceMs),
    places_a_second: Math.round((after.places - before.places) / seconds),
    claims_a_second: Math.round((after.attempts - before.attempts) / seconds),
    busy_agents: Math.round(busy),
    health_ms: health,
    expired_leases: after.failures,
    processes,
  }
}

async function createUsers({ db }: Fleet): Promise<string[]> {
  const ledger = createLedger(mongoLedgerStore(db))
  const keys: string[] = []
  for (let n = 0; n < USERS; n++) {
    const { _id: user_id } = await createUser(db, { email: `user-${n}@example.com` })
    const reference = { reference_type: 'chaos', reference_id: 'credits' }
    await grant(ledger, { user_id, amount: microCredits('1000000'), type: 'bonus', reference, description: 'chaos' })
    keys.push((await createApiKey(db, user_id, { name: 'chaos' })).key)
  }
  return keys
}

/** Keeps some jobs of a user under way, each of five searches of a hundred places. */
async function keepOrdering(
  { coordinators, db }: Fleet,
  key: string,
  user: number,
  { coordinators: count }: SimulateOptions,
  signal: AbortSignal,
): Promise<void> {
  const ids: string[] = []
  for (let n = 0; !signal.aborted; n++) {
    const base = coordinators[n % count]?.url ?? ''
    const keywords = Array.from({ length: 5 }, (_, index) => `town ${user * 100_000 + n * 5 + index}`)
    const body = { name: `job ${n}`, language: 'en', keywords, max_results: 500 }
    const { answer } = await callApi(base, key, 'POST', '/api/v1/jobs', { body })
    if (answer.status === 201) ids.push(CreatedJob.parse(answer.body).id)
    while (!signal.aborted && (await activeOf(db, ids)) >= ACTIVE_JOBS) {
      await sleep(1_000, undefined, { signal }).catch(() => undefined)
    }
  }
}

const activeOf = (db: Fleet['db'], ids: string[]): Promise<number> =>
  db.collection<{ _id: string; status: string }>('jobs').countDocuments({
    _id: { $in: ids },
    status: { $in: ['pending', 'running'] },
  })

async function countsOf({ db }: Fleet): Promise<{ places: number; attempts: number; failures: number }> {
  const [sums] = await tasksOf(db)
    .aggregate<{ attempts: number; failures: number }>([
      { $group: { _id: null, attempts: { $sum: '$attempt' }, failures: { $sum: '$failures' } } },
    ])
    .toArray()
  const places = await resultsOf(db).countDocuments({ place_key: { $exists: true } })
  return { places, attempts: sums?.attempts ?? 0, failures: sums?.failures ?? 0 }
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

function processesOf(fleet: Fleet, hosts: ChildProcess[]): Record<string, number> {
  return {
    ...Object.fromEntries(fleet.coordinators.map(({ child }) => [child.name, child.pid()])),
    mongo: fleet.mongo.pid() ?? 0,
    nats: fleet.nats.pid() ?? 0,
    ...Object.fromEntries(hosts.map(({ pid = 0 }, n) => [`agents-${n + 1}`, pid])),
  }
}

const TICKS_A_SECOND = 100

/** Seconds of processor time that processes have had (proc_pid_stat(5), utime and stime). */
function cpuOf(pids: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return [name, (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND]
    }),
  )
}

function rssOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}
