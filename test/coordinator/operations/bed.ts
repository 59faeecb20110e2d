import { AsyncLocalStorage } from 'node:async_hooks'
import { createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { readConfig } from '@placefleet/coordinator/config'
import { createJob, type JobCreation } from '@placefleet/coordinator/jobs/create'
import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { startPending } from '@placefleet/coordinator/jobs/phase-moves'
import { findJob } from '@placefleet/coordinator/jobs/store'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createWebhook } from '@placefleet/coordinator/webhooks/store'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import type { Db } from 'mongodb'
import { connect } from 'nats'
import { expect } from 'vitest'
import { createParts, type Parts } from '../../harness/coordinator/parts.ts'
import { coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'
import { steppingDb, WRITES } from '../../harness/servers/stepping-database.ts'
import { copies } from './copies.ts'
import type { Step } from './steps.ts'
import { sweeps } from './sweeps.ts'

/** The credits of a user, in micro-credits. */
export const CREDITS = 1_000_000

/** The price of the start of a job. */
export const START = 7_000

export type Bed = Awaited<ReturnType<typeof startBed>>

/**
 * Starts the world of the tables: two coordinators over one database, without loops and without agents. One is healthy,
 * the other one stops or dies at the writes that a test chooses. They serve the whole file, because a start costs more
 * than most operations.
 */
export async function startBed(whenOver: (end: () => Promise<void>) => void, env: Record<string, string> = {}) {
  const world = await startWorld(whenOver)
  for (const message of ['tried again', 'a request failed']) world.expectError(message) // of the one that dies
  const { db, log } = world
  const nats = await connect(natsServers(world.natsUrl))
  whenOver(() => nats.close())
  const config = readConfig({ ...coordinatorEnv(world), ...env })
  const start = async (database: Db) => {
    const none = { creationLimit: { take: async () => undefined }, allowHosts: new Set<string>() }
    return { ...(await createParts({ config, log, db: database, nats })), ...none }
  }
  // What a call leaves running in the background keeps the step of that call, also after the next call has begun.
  const steps = new AsyncLocalStorage<Step>()
  const steppedDb = steppingDb(db, WRITES, (write) => steps.getStore()?.(write) ?? write())
  const healthy = await start(db)
  const stepped = await start(steppedDb)
  return {
    db,
    log,
    healthy,
    /** Returns the coordinator that sees this database. */
    over: (seen: Db) => (seen === db ? healthy : stepped),
    /** Calls by a process with this `step`. */
    inSteps: <Result>(step: Step, call: (db: Db) => Promise<Result>) =>
      steps.run(step, async () => {
        try {
          return await call(steppedDb)
        } finally {
          await stepped.endedJobs.idle() // a call does not wait for what follows the end of a job
        }
      }),
    ...users(healthy),
    ...jobs(healthy),
    ...sweeps(healthy),
  }
}

/** A coordinator without loops and servers. */
export type Coordinator = Parts & { creationLimit: { take(): Promise<undefined> }; allowHosts: Set<string> }

/** How many users are made at once. Nothing happens to them by itself. */
const USERS_AT_ONCE = 20

const users = (healthy: Coordinator) => {
  const { db } = healthy
  const stock = new Map<number, { ready: string[]; more: (howMany: number) => Promise<{ user_id: string }[]> }>()
  return {
    /** A user with credits and a webhook. */
    async user(amount = CREDITS): Promise<string> {
      const kept = stock.get(amount) ?? { ready: [], more: copies(db, () => newUser(healthy, amount)) }
      stock.set(amount, kept)
      if (kept.ready.length === 0) kept.ready = (await kept.more(USERS_AT_ONCE)).map(({ user_id }) => user_id)
      return kept.ready.pop() ?? expect.fail('no user')
    },
  }
}

async function newUser({ db, ledger, secrets }: Coordinator, amount: number): Promise<{ user_id: string }> {
  const { _id: user_id } = await createUser(db, { email: `${crypto.randomUUID()}@example.com` })
  await createWebhook(db, secrets, user_id, {
    name: 'w',
    url: 'https://hooks.example.com/',
    event_types: ['job.completed', 'job.failed', 'job.cancelled', 'monitor.paused'],
  })
  const reference = { reference_type: 'grant', reference_id: 'test' }
  if (amount > 0) await grant(ledger, { user_id, amount, type: 'bonus', reference, description: 'test' })
  return { user_id }
}

const REQUEST = CreateJobRequest.parse({ name: 'j', keywords: ['one', 'two'], language: 'en', max_results: 5 })

/** The request of a job with proxies of its own. */
export const PROXIED = { ...REQUEST, proxies: ['http://user:secret@93.184.216.34:8080'] }

/** The request of a job that also names places, two of them twice. */
export const WHOLE = { ...PROXIED, places: ['0x1:0x2', '2', '0x0:0x2', '0x1:0x2', '0x1:0x3'] }

/** Returns the creation of a job for a user. Nothing runs in the background of it. */
export const creation = (user_id: string, more: Partial<JobCreation> = {}): JobCreation => ({
  user_id,
  source: 'api',
  paid: false,
  concurrent_jobs: 3,
  request: REQUEST,
  ...more,
})

/** Creates a job without its first look in the background, so that each call has the same writes. */
export const createQuietly = (by: Coordinator, wanted: JobCreation) =>
  createJob({ ...by, engine: { ...by.engine, reconcile: async () => undefined } }, wanted)

const jobs = (healthy: Coordinator) => {
  const { db } = healthy
  const onlyOf = <Made>([one]: Made[]): Made => one ?? expect.fail('no copy')
  const newPending = async () => {
    const { user_id } = await newUser(healthy, CREDITS)
    const { job_id } = await createQuietly(healthy, creation(user_id))
    await healthy.engine.reconcile(job_id)
    return { user_id, job_id }
  }
  const newRunning = async () => {
    const { user_id, job_id } = await newPending()
    const task = (await tasksOf(db).findOne({ job_id, state: 'released' })) ?? expect.fail('no task is released')
    const holder = { agent_id: 'agent', stream: 'stream' }
    const claimed = (await healthy.leases.claim(task._id, holder)) ?? expect.fail('the task is taken')
    const job = (await startPending(healthy.db, job_id)) ?? expect.fail('the job has started')
    await healthy.holds.chargeStart({ user_id, job_id, job_name: job.name, price: job.prices.job_start })
    return { user_id, job_id, lease: { ...holder, task_id: task._id, attempt: claimed.attempt } }
  }
  const [pending, running] = [copies(db, newPending), copies(db, newRunning)]
  return {
    find: async (job_id: string): Promise<JobDocument> => (await findJob(healthy.db, job_id)) ?? expect.fail('no job'),
    /** A job of a user of its own, with its first tasks released. */
    pending: async () => onlyOf(await pending(1)),
    /** A job of a user of its own whose first task an agent holds, with its lease. */
    running: async () => onlyOf(await running(1)),
  }
}
