import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { lockDataDir } from '@placefleet/deploy/embedded/data-dir'
import { startMongo } from '@placefleet/deploy/embedded/mongo'
import { startNats } from '@placefleet/deploy/embedded/nats'
import { CERTIFICATE_FILE } from '@placefleet/deploy/simulation/map-site/certificate'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { nodeRuntime } from '../../bench/node-runtime.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { createLink, type Link, openEntrance } from '../../harness/network/link.ts'
import { canHaveSmallDisk, createSmallDisk, type SmallDisk } from '../../harness/small-disk.ts'
import { until } from '../../harness/until.ts'
import { type Child, startChild } from './child.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const CLOCK = pathToFileURL(join(import.meta.dirname, '..', 'faults', 'jumping-clock.ts')).href
const DYING_WRITES = pathToFileURL(join(import.meta.dirname, '..', 'faults', 'dying-writes.ts')).href
const AMPLE = '100000:100000'
/** What users run the programs with. */
const [AS_COORDINATOR, AS_AGENT] = [nodeRuntime('coordinator'), nodeRuntime('agent')]

export const AGENT_TOKEN = 'a long token for all chaos'

export type FleetOptions = {
  seed: number
  coordinators: number
  agents: number
  /** Places of the simulated city. */
  places: number
  /** A certificate authority that coordinators trust besides the system's, in PEM. */
  trusted?: string
  /** More settings of the coordinators. */
  env?: Record<string, string>
}

/** A fleet of processes on this machine, every way between them through a link that can be broken. */
export type Fleet = Awaited<ReturnType<typeof startServers>> & {
  coordinators: Awaited<ReturnType<typeof addCoordinator>>[]
  agents: { child: Child; clockFile: string; disk: SmallDisk | undefined }[]
}

/** Starts a fleet in a new directory, and waits until its coordinators answer. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const servers = await startServers(options)
  const fleet: Fleet = { ...servers, coordinators: [], agents: [] }
  try {
    for (let n = 1; n <= options.coordinators; n++) fleet.coordinators.push(await addCoordinator(fleet, n))
    await Promise.all(fleet.coordinators.map(({ url }) => answers(url)))
    for (let n = 1; n <= options.agents; n++) fleet.agents.push(await addAgent(fleet, n))
    return fleet
  } catch (error) {
    await servers.life.close()
    throw error
  }
}

/** Returns whether a coordinator answers, within a minute. */
export const answers = (url: string): Promise<boolean> => {
  const ask = () => fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })
  const isUp = () =>
    ask().then(
      ({ ok }) => ok,
      () => false,
    )
  return until(`${url} answers`, isUp, 60_000)
}

/** Ends everything; the directory stays when it is to be looked at. */
export async function removeFleet(fleet: Fleet, keep: boolean): Promise<void> {
  await fleet.life.close()
  if (!keep) rmSync(fleet.dir, { recursive: true, force: true })
}

/** Starts what is not under test: the embedded servers, each started again whenever it dies, and the outside world. */
async function startServers(options: FleetOptions) {
  const log = createLogger('chaos', 'silent')
  const life = createLifecycle(log)
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-chaos-'))
  for (const name of ['logs', 'clocks', 'disks', 'data']) mkdirSync(join(dir, name))
  if (options.trusted !== undefined) writeFileSync(join(dir, 'authority.pem'), options.trusted)
  const { path: dataDir } = life.own('data directory', lockDataDir(join(dir, 'data')), (held) => held.release())
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  // The name of the directory is in the environment of every process, so that those left over can be found.
  const env = { PATH, HOME, TMPDIR, PLACEFLEET_CHAOS: dir, NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE }
  const cacheDir = join(dir, 'data', 'cache')
  const mongo = life.own('mongo', await startMongo({ dataDir, cacheDir, env, log }), (one) => one.stop())
  const nats = life.own('nats', await startNats({ dataDir, env, log }), (one) => one.stop())
  const { db } = life.own('database', await connectMongo(mongo.url), (one) => one.close())
  const { hostname: host, port } = new URL(nats.url)
  const wipeNats = () => {
    if (nats.pid === undefined) return
    process.kill(nats.pid, 'SIGSTOP') // it must not write while its files go
    rmSync(join(dataDir, 'nats', 'store'), { recursive: true, force: true })
    process.kill(nats.pid, 'SIGKILL')
  }
  const targets = { mongo: { path: decodeURIComponent(new URL(mongo.url).host) }, nats: { host, port: Number(port) } }
  const outside = await startOutside(dir, options, life, env)
  const links: Link[] = []
  return { dir, env, mongo, nats, wipeNats, targets, db, outside, links, options, life }
}

/** Starts the simulated map site, and the proxy from which the websites of its city are reached. */
async function startOutside(dir: string, { seed, places }: FleetOptions, life: Lifecycle, env: Record<string, string>) {
  const size = ['--seed', String(seed), '--places', String(places)]
  const modes = ['--websites', '--https', '--set', 'latencyMs={"min":20,"max":120}']
  const args = [join(ROOT, 'deploy', 'simulation', 'main.ts'), ...size, ...modes]
  const logFile = join(dir, 'logs', 'outside.log')
  const child = startChild({ name: 'outside', command: process.execPath, args, env, logFile })
  life.own('outside world', child, (one) => one.end(5_000))
  return until('the outside world is there', () => {
    const [, maps, proxy] = /MAPS_BASE_URL=(\S+)\nPROXY_URL=(\S+)\n/.exec(readFileSync(logFile, 'utf8')) ?? []
    return maps && proxy ? { maps, proxy } : undefined
  })
}

async function addCoordinator(fleet: Fleet, n: number) {
  const { dir, env, nats, outside, options } = fleet
  const name = `coordinator-${n}`
  const toMongo = await entrance(fleet, { [`${name} mongo`]: fleet.targets.mongo })
  const toNats = await entrance(fleet, { [`${name} nats`]: fleet.targets.nats })
  const [port, grpcPort] = [await freePort(), await freePort()]
  const clockFile = join(dir, 'clocks', name)
  const crashFile = join(dir, 'clocks', `${name}.crash`)
  const child = startChild({
    name,
    command: process.execPath,
    args: [...AS_COORDINATOR.flags, join(ROOT, 'coordinator', 'main.ts')],
    env: {
      ...env,
      ...AS_COORDINATOR.env,
      ...clockEnv(clockFile, DYING_WRITES),
      CRASH_POINT: crashFile,
      MONGODB_URL: `mongodb://127.0.0.1:${toMongo}/placefleet?directConnection=true&w=1&journal=true`,
      NATS_URL: withPort(nats.url, toNats),
      DATA_DIR: join(dir, 'data'),
      PORT: String(port),
      GRPC_PORT: String(grpcPort),
      AGENT_TOKEN,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      RATE_FREE: AMPLE,
      RATE_PAID: AMPLE,
      RATE_JOB_CREATE: AMPLE,
      RATE_ADDRESS: AMPLE,
      WEBHOOK_HOURLY_ACCOUNT: '1000000',
      WEBHOOK_HOURLY_ADDRESS: '1000000',
      EGRESS_ALLOW_HOSTS: new URL(outside.proxy).host,
      LOG_LEVEL: 'info',
      ...(options.trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: join(dir, 'authority.pem') }),
      ...options.env,
    },
    logFile: join(dir, 'logs', `${name}.log`),
  })
  fleet.life.own(name, child, (one) => one.end(30_000))
  return { child, url: `http://127.0.0.1:${port}`, grpcPort, clockFile, crashFile }
}

async function addAgent(fleet: Fleet, n: number) {
  const { dir, nats, outside, coordinators } = fleet
  const name = `agent-${n}`
  const toNats = await entrance(fleet, { [`${name} nats`]: fleet.targets.nats })
  const targets = coordinators.map(({ child, grpcPort }) => {
    return [`${name} ${child.name}`, { host: '127.0.0.1', port: grpcPort }] as const
  })
  const toCoordinators = await entrance(fleet, Object.fromEntries(targets))
  const clockFile = join(dir, 'clocks', name)
  const diskDir = join(dir, 'disks', name)
  mkdirSync(diskDir)
  const disk = n % 2 === 0 && canHaveSmallDisk() ? createSmallDisk(diskDir) : undefined
  const args = [...AS_AGENT.flags, join(ROOT, 'agent', 'main.ts')]
  const child = startChild({
    name,
    ...(disk?.wrap(process.execPath, args) ?? { command: process.execPath, args }),
    env: {
      ...fleet.env,
      ...AS_AGENT.env,
      ...clockEnv(clockFile),
      ...(disk ? { TMPDIR: diskDir } : {}),
      NATS_URL: withPort(nats.agentUrl, toNats),
      COORDINATOR_GRPC: `127.0.0.1:${toCoordinators}`,
      AGENT_NAME: name,
      AGENT_TOKEN,
      AGENT_CONCURRENCY: '3',
      COLLECT_RUNG: 'http',
      EXIT_RATE: '0',
      EXIT_REST_SECONDS: '1',
      MAPS_BASE_URL: outside.maps,
      EGRESS_ALLOW_HOSTS: new URL(outside.proxy).host,
      LOG_LEVEL: 'info',
    },
    logFile: join(dir, 'logs', `${name}.log`),
  })
  fleet.life.own(name, child, (one) => one.end(15_000))
  return { child, clockFile, disk }
}

function clockEnv(clockFile: string, ...preloaded: string[]): Record<string, string> {
  writeFileSync(clockFile, '0')
  const imports = [CLOCK, ...preloaded].map((script) => `--import=${script}`)
  return { NODE_OPTIONS: imports.join(' '), JUMPING_CLOCK: clockFile }
}

/** Opens a port that leads over a link to each target. */
async function entrance({ links, life }: Fleet, targets: Record<string, NetConnectOpts>): Promise<number> {
  const own = Object.entries(targets).map(([name, target]) => createLink(name, target))
  links.push(...own)
  return life.own('entrance', await openEntrance(own), (one) => one.close()).port
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href.replace(/\/$/, '')
}
