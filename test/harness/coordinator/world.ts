import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StartOptions, startCoordinator } from '@placefleet/coordinator/app'
import { readConfig } from '@placefleet/coordinator/config'
import { startNats } from '@placefleet/deploy/embedded/nats'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { inject, onTestFinished } from 'vitest'
import { freePort } from '../network/free-port.ts'
import { takeDatabase } from '../servers/database.ts'
import { takeNatsAccount } from '../servers/nats.ts'
import { watchedLog } from '../watched-log.ts'
import { type Client, createClient } from './client.ts'
import { holdAgainstDocument } from './documented-answers.ts'

export const AGENT_TOKEN = 'a long token for all tests'
export const API_KEY = 'svc_a_key_for_tests_only'

const AMPLE = '100000:100000'

/** The servers of one test: its own database and its own NATS account. */
export type World = {
  mongoUrl: string
  natsUrl: string
  /** With the rights of an agent. */
  natsAgentUrl: string
  /** The directory in which NATS stores the streams. */
  natsStoreDir: string
  dataDir: string
  db: Db
  log: Logger
  life: Lifecycle
  /** Lets coordinators and agents of this world log errors whose message has this text. All others fail the test. */
  expectError(message: string): void
  /** Takes what a process of this world wrote to its log. */
  logged(text: string): void
}

/**
 * Starts a world. It ends with the test, or with the file if `whenOver` is `afterAll`, and so does everything in it.
 */
export async function startWorld(
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
  database: 'empty' | 'new' = 'empty',
): Promise<World> {
  const { log, expectError, logged, check } = watchedLog()
  const life = createLifecycle(log)
  whenOver(async () => {
    await life.close()
    check()
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-fleet-'))
  life.own('data', dataDir, (dir) => rmSync(dir, { recursive: true, force: true }))
  const nats = life.own('nats account', await takeNatsAccount(inject('nats')), (account) => account.giveBack())
  const { db, url: mongoUrl } = life.own('database', await takeDatabase(database), (database) => database.giveBack())
  const { url: natsUrl, agentUrl: natsAgentUrl, storeDir: natsStoreDir } = nats
  return { mongoUrl, natsUrl, natsAgentUrl, natsStoreDir, dataDir, db, log, life, expectError, logged }
}

/**
 * Gives a world its own NATS server, started like the product starts it, for tests that kill it or check its
 * permissions.
 */
export async function withOwnNats(world: World): Promise<World & { natsPid: number }> {
  const { dataDir, log } = world
  const nats = world.life.own('nats', await startNats({ dataDir, env: {}, log }), (server) => server.stop())
  const natsStoreDir = join(dataDir, 'nats', 'store')
  return { ...world, natsUrl: nats.url, natsAgentUrl: nats.agentUrl, natsStoreDir, natsPid: nats.pid ?? 0 }
}

/** Returns the settings of a coordinator of this world, as environment variables. */
export const coordinatorEnv = (world: World): Record<string, string> => ({
  MONGODB_URL: world.mongoUrl,
  NATS_URL: world.natsUrl,
  DATA_DIR: world.dataDir,
  PORT: '0',
  GRPC_PORT: '0',
  AGENT_TOKEN,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  LOG_LEVEL: 'silent',
  BOOTSTRAP_EMAIL: 'owner@example.com',
  BOOTSTRAP_API_KEY: API_KEY,
  BOOTSTRAP_CREDITS: '1000',
  RATE_FREE: AMPLE,
  RATE_JOB_CREATE: AMPLE,
})

/** A coordinator in this process. */
export type TestCoordinator = {
  url: string
  grpc: string
  ports: Ports
  client: Client
  drain(): Promise<void>
  close(): Promise<void>
}

/** The settings of a coordinator's ports. Another coordinator with the same ones replaces it. */
export type Ports = { PORT: string; GRPC_PORT: string }

export const freePorts = async (): Promise<Ports> => ({
  PORT: String(await freePort()),
  GRPC_PORT: String(await freePort()),
})

/** Starts a coordinator. The world closes it, unless the test does. */
export async function addCoordinator(
  world: World,
  env: Record<string, string> = {},
  options: StartOptions = {},
): Promise<TestCoordinator> {
  const life = createLifecycle(world.log)
  world.life.own('coordinator', life, (l) => l.close())
  const settings = { ...coordinatorEnv(world), ...(await freePorts()), ...env }
  const config = readConfig(settings)
  const { url, grpcPort, drain } = await startCoordinator(config, world.log, life, options)
  holdAgainstDocument(url)
  const client = createClient(url, API_KEY)
  const { PORT, GRPC_PORT } = settings
  return { url, grpc: `127.0.0.1:${grpcPort}`, ports: { PORT, GRPC_PORT }, client, drain, close: () => life.close() }
}
