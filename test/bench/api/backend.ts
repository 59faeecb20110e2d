import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectMongo } from '@placefleet/coordinator/mongo/connect'
import { startServers } from '@placefleet/deploy/embedded/servers'
import { createLifecycle, type Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import { z } from 'zod'
import { type Client, createClient } from '../../harness/coordinator/client.ts'
import { dismiss, message, startScript } from '../measure.ts'
import { type NodeRuntime, nodeRuntime } from '../node-runtime.ts'

export const API_KEY = 'svc_a_key_for_benchmarks'

/** A rate that no benchmark reaches. */
export const AMPLE = '999999:999999'

/** A server in a separate process, so that it does not share a core with its client. */
export type Server = { readonly url: string; readonly pid: number; close(): Promise<void> }

/** A database, a coordinator over it in a separate process, and a client with very high limits. */
export type Backend = Server & {
  readonly db: Db
  readonly mongoUrl: string
  /** The URL of the queue with the rights of an agent. */
  readonly natsAgentUrl: string
  /** The environment of the coordinator. */
  readonly env: Readonly<Record<string, string>>
  readonly client: Client
  /** Starts another coordinator over the same database. */
  another(): Promise<Server>
}

/** Makes a directory for data, which goes with the lifecycle. */
export function dataDirectory(life: Lifecycle): string {
  const directory = mkdtempSync(join(tmpdir(), 'placefleet-bench-'))
  return life.own('data', directory, (path) => rmSync(path, { recursive: true, force: true }))
}

/** Starts the backend in a temporary directory, with more settings for the coordinator. The lifecycle closes it. */
export async function startBackend(life: Lifecycle, settings: Record<string, string> = {}): Promise<Backend> {
  const dataDir = dataDirectory(life)
  const log = createLogger('bench', 'error')
  const { mongoUrl, natsUrl, natsAgentUrl } = life.own(
    'servers',
    await startServers({ dataDir, env: process.env, log }),
    (running) => running.stop(),
  )
  const { db } = life.own('database', await connectMongo(mongoUrl), (mongo) => mongo.close())
  const env = {
    MONGODB_URL: mongoUrl,
    NATS_URL: natsUrl,
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
  const another = () => startServer(life, 'coordinator.ts', env, nodeRuntime('coordinator'))
  const server = await another()
  return { ...server, db, mongoUrl, natsAgentUrl, env, client: createClient(server.url, API_KEY), another }
}

/**
 * Starts a program of this folder. It reports its address, and ends when its connection to this process closes.
 * @throws Error when it does not start
 */
export async function startServer(
  life: Lifecycle,
  program: string,
  env: Record<string, string>,
  runtime?: NodeRuntime,
): Promise<Server> {
  const child = startScript(join(import.meta.dirname, program), [], runtime, env)
  const close = life.own(
    program,
    () => dismiss(child),
    (end) => end(),
  )
  return { url: z.url().parse(await message(child)), pid: child.pid ?? 0, close }
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
