import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { nodeRuntime } from '../node-runtime.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

export const API_KEY = 'svc_a_key_for_benchmarks'

const AMPLE = '999999:999999'

/** A database, a coordinator over it in a separate process, and a client with very high limits. */
export type Backend = {
  readonly db: Db
  readonly mongoUrl: string
  /** The URL of the queue with the rights of an agent. */
  readonly natsAgentUrl: string
  /** The environment of the coordinator. */
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  /** The process id of the coordinator. */
  readonly pid: number
  readonly client: Client
  /** Starts another coordinator over the same database. */
  another(): Promise<ChildServer>
}

/** Starts the backend in a temporary directory, with more settings for the coordinator. The lifecycle closes it. */
export async function startBackend(life: Lifecycle, settings: Record<string, string> = {}): Promise<Backend> {
  const log = createLogger('bench', 'error')
  const dataDir = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  life.own('data', dataDir, (directory) => rmSync(directory, { recursive: true, force: true }))
  const servers = await startServers({ dataDir, env: process.env, log })
  life.own('servers', servers, (running) => running.stop())
  const { db } = life.own('database', await connectMongo(servers.mongoUrl), (mongo) => mongo.close())
  const env = {
    MONGODB_URL: servers.mongoUrl,
    NATS_URL: servers.natsUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    GRPC_PORT: '0',
    AGENT_TOKEN: 'a token for all benchmarks',
    LOG_LEVEL: 'error',
    MAX_CONCURRENT_JOBS_FREE: '1000',
    BOOTSTRAP_EMAIL: 'owner@example.com',
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_CREDITS: '100000',
    RATE_FREE: AMPLE,
    RATE_JOB_CREATE: AMPLE,
    ...settings,
  }
  const another = () => startChildServer('coordinator.ts', env, nodeRuntime('coordinator'))
  const { url, pid } = life.own('coordinator', await another(), (server) => server.close())
  const { mongoUrl, natsAgentUrl } = servers
  return { db, mongoUrl, natsAgentUrl, env, url, pid, client: createClient(url, API_KEY), another }
}

/** Creates an ended job, so that no agent works on it. Returns the job and its owner. */
export async function endedJob({ client, db }: Backend, name: string): Promise<{ user_id: string; job_id: string }> {
  const job_id = await client.create({ name, keywords: ['bakery in Berlin'] })
  await client.call('POST', `/api/v1/jobs/${job_id}/cancel`)
  await client.ended(job_id)
  const job = await db.collection<{ _id: string; user_id: string }>('jobs').findOne({ _id: job_id })
  if (!job) throw new Error(`there is no job ${job_id}`)
  return { user_id: job.user_id, job_id }
}

/** Returns a lifecycle for one benchmark. */
export const benchLifecycle = (): Lifecycle => createLifecycle(createLogger('bench', 'error'))
