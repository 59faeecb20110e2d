import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { lockDataDir } from '@placefleet/deploy/embedded/data-dir'
import { CERTIFICATE_FILE } from '@placefleet/deploy/simulation/map-site/certificate'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { nodeRuntime } from '../../bench/node-runtime.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { canHaveSmallDisk, createSmallDisk, type SmallDisk } from '../../harness/small-disk.ts'
import { until } from '../../harness/until.ts'
import { type Child, startChild } from './child.ts'
import { createLink, type Link, openEntrance } from './link.ts'
import { type FleetServer, type Queue, startDatabase, startQueue } from './servers.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const CLOCK = pathToFileURL(join(import.meta.dirname, '..', 'faults', 'jumping-clock.ts')).href
const DYING_WRITES = pathToFileURL(join(import.meta.dirname, '..', 'faults', 'dying-writes.ts')).href
const AMPLE = '100000:100000'
/** What users run the programs with. */
const [AS_COORDINATOR, AS_AGENT] = [nodeRuntime('coordinator'), nodeRuntime('agent')]

export type Coordinator = { child: Child; url: string; grpcPort: number; clockFile: string; crashFile: string }
export type Agent = { child: Child; clockFile: string; disk?: SmallDisk }

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
export type Fleet = {
  dir: string
  /** In the environment of every process of the fleet, so that those left over can be found. */
  mark: string
  mongo: FleetServer
  nats: Queue
  /** The database, reached past all links. */
  db: Db
  coordinators: Coordinator[]
  agents: Agent[]
  links: Link[]
  /** The simulated map site, and the proxy from which the websites of its city are reached. */
  outside: { maps: string; proxy: string }
  options: FleetOptions
  /** Helper processes that are not under test. */
  life: Lifecycle
}

/** Starts a fleet in a new directory, and waits until its coordinators answer. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const log = createLogger('chaos', 'silent')
  const life = createLifecycle(log)
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-chaos-'))
  for (const name of ['logs', 'clocks', 'disks', 'data']) mkdirSync(join(dir, name))
  const mark = `PLACEFLEET_CHAOS=${dir}`
  if (options.trusted !== undefined) writeFileSync(join(dir, 'authority.pem'), options.trusted)
  const lock = life.own('data directory', lockDataDir(join(dir, 'data')), (held) => held.release())
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env
  const env = { PATH, HOME, TMPDIR, PLACEFLEET_CHAOS: dir, NODE_EXTRA_CA_CERTS: CERTIFICATE_FILE }
  const server = { dataDir: lock.path, cacheDir: join(dir, 'data', 'cache'), env, log }
  const mongo = life.own('mongo', await startDatabase(server), (one) => one.stop())
  const nats = life.own('nats', await startQueue(server), (one) => one.stop())
  const { db } = life.own('database', await connectMongo(mongo.url), (one) => one.close())
  const outside = await startOutside(dir, options, life, env)
  const fleet: Fleet = { dir, mark, mongo, nats, db, outside, coordinators: [], agents: [], links: [], options, life }
  try {
    for (let n = 1; n <= options.coordinators; n++) fleet.coordinators.push(await addCoordinator(fleet, n, env))
    await Promise.all(fleet.coordinators.map(({ url }) => answers(url)))
    for (let n = 1; n <= options.agents; n++) fleet.agents.push(await addAgent(fleet, n, env))
    return fleet
  } catch (error) {
    await life.close()
    throw error
  }
}

/** Returns whether a coordinator answers, within half a minute. */
export const answers = (url: string): Promise<boolean> =>
  until(
    `${url} answers`,
    () =>
      fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      ),
    60_000,
  )

/** Ends everything; the directory stays when it is to be looked at. */
export async function removeFleet(fleet: Fleet, keep: boolean): Promise<void> {
  await fleet.life.close()
  if (!keep) rmSync(fleet.dir, { recursive: true, force: true })
}

async function startOutside(
  dir: string,
  options: FleetOptions,
  life: Lifecycle,
  env: Record<string, string>,
): Promise<Fleet['outside']> {
  const found = Promise.withResolvers<Fleet['outside']>()
  const script = join(ROOT, 'deploy', 'simulation', 'main.ts')
  const args = [
    script,
    '--websites',
    '--seed',
    String(options.seed),
    '--places',
    String(options.places),
    '--https',
    '--set',
    'latencyMs={"min":20,"max":120}',
  ]
  const logFile = join(dir, 'logs', 'outside.log')
  let printed = ''
  const child = startChild(
    { name: 'outside', command: process.execPath, args, env, logFile, stdout: 'pipe' },
    (text) => {
      printed += text
      const [, maps, proxy] = /MAPS_BASE_URL=(\S+)\nPROXY_URL=(\S+)\n/.exec(printed) ?? []
      if (maps && proxy) found.resolve({ maps, proxy })
    },
  )
  life.own('outside world', child, (one) => one.end(5_000))
  return found.promise
}

async function addCoordinator(fleet: Fleet, n: number, env: Record<string, string>): Promise<Coordinator> {
  const { dir, mongo, nats, outside, options } = fleet
  const name = `coordinator-${n}`
  const toMongo = await entrance(fleet, [createLink(`${name} mongo`, mongo.target)])
  const toNats = await entrance(fleet, [createLink(`${name} nats`, nats.target)])
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
      AGENT_TOKEN: 'a long token for all chaos',
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

async function addAgent(fleet: Fleet, n: number, env: Record<string, string>): Promise<Agent> {
  const { dir, nats, outside, coordinators } = fleet
  const name = `agent-${n}`
  const toNats = await entrance(fleet, [createLink(`${name} nats`, nats.target)])
  const links = coordinators.map(({ grpcPort }, index) =>
    createLink(`${name} coordinator-${index + 1}`, { host: '127.0.0.1', port: grpcPort }),
  )
  const toCoordinators = await entrance(fleet, links)
  const clockFile = join(dir, 'clocks', name)
  const disk = n % 2 === 0 && canHaveSmallDisk() ? createSmallDisk(diskDir(dir, name)) : undefined
  const script = join(ROOT, 'agent', 'main.ts')
  const args = [...AS_AGENT.flags, script]
  const started = disk?.wrap(process.execPath, args) ?? { command: process.execPath, args }
  const child = startChild({
    name,
    ...started,
    env: {
      ...env,
      ...AS_AGENT.env,
      ...clockEnv(clockFile),
      ...(disk ? { TMPDIR: diskDir(dir, name, false) } : {}),
      NATS_URL: withPort(nats.agentUrl, toNats),
      COORDINATOR_GRPC: `127.0.0.1:${toCoordinators}`,
      AGENT_NAME: name,
      AGENT_TOKEN: 'a long token for all chaos',
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
  return { child, clockFile, ...(disk ? { disk } : {}) }
}

function diskDir(dir: string, name: string, make = true): string {
  const path = join(dir, 'disks', name)
  if (make) mkdirSync(path)
  return path
}

function clockEnv(clockFile: string, ...preloaded: string[]): Record<string, string> {
  writeFileSync(clockFile, '0')
  const imports = [CLOCK, ...preloaded].map((script) => `--import=${script}`)
  return { NODE_OPTIONS: imports.join(' '), JUMPING_CLOCK: clockFile }
}

async function entrance(fleet: Fleet, links: Link[]): Promise<number> {
  fleet.links.push(...links)
  return fleet.life.own('entrance', await openEntrance(links), (one) => one.close()).port
}

function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href.replace(/\/$/, '')
}
