import { isDeepStrictEqual } from 'node:util'
import { createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/grant'
import { readConfig } from '@placefleet/coordinator/config'
import { createCounters } from '@placefleet/coordinator/counters'
import { createJob, type JobCreation, rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { enforceDeadlines, sweepOnce } from '@placefleet/coordinator/jobs/sweep'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { monitorsOf } from '@placefleet/coordinator/monitors/documents'
import { sweepMonitors } from '@placefleet/coordinator/monitors/run'
import { createServices, indexes } from '@placefleet/coordinator/services'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { createWebhook } from '@placefleet/coordinator/webhooks/store'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import type { Db } from 'mongodb'
import { connect } from 'nats'
import { expect } from 'vitest'
import { coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'

/** The credits of a user, in micro-credits. */
export const CREDITS = 1_000_000

/** The price of the start of a job. */
export const START = 7_000

export type Bed = Awaited<ReturnType<typeof startBed>>
export type Coordinator = Bed['healthy']

const LONG_AGO = () => new Date(Date.now() - 600_000)

/** Starts the world of the tables: coordinators over one database, without loops and without agents. */
export async function startBed(whenOver: (end: () => Promise<void>) => void) {
  const world = await startWorld(whenOver)
  const { db } = world
  const nats = await connect(natsServers(world.natsUrl))
  whenOver(() => nats.close())
  const config = readConfig(coordinatorEnv(world))
  const start = async (database: Db) => {
    const services = await createServices(config, world.log, { db: database, nats, counters: createCounters() })
    const none = { creationLimit: { take: async () => undefined }, allowHosts: new Set<string>() }
    return { ...services, db: database, ...none }
  }
  await ensureIndexes(db, indexes)
  const healthy = await start(db)
  /** A coordinator of its own that sees this database. Those that see the real one are the same. */
  const over = async (seen: Db) => (seen === db ? healthy : start(seen))
  return { db, log: world.log, over, healthy, ...users(healthy), ...jobs(healthy), ...sweeps(healthy) }
}

type Healthy = Awaited<ReturnType<typeof createServices>> & { db: Db; creationLimit: { take(): Promise<undefined> } }

const users = ({ db, ledger, secrets }: Healthy) => ({
  /** A user with credits and a webhook. */
  async user(amount = CREDITS): Promise<string> {
    const { _id: user_id } = await createUser(db, { email: `${crypto.randomUUID()}@example.com` })
    await createWebhook(db, secrets, user_id, {
      name: 'w',
      url: 'https://hooks.example.com/',
      event_types: ['job.completed', 'job.failed', 'job.cancelled', 'monitor.paused'],
    })
    const reference = { reference_type: 'grant', reference_id: 'test' }
    if (amount > 0) await grant(ledger, { user_id, amount, type: 'bonus', reference, description: 'test' })
    return user_id
  },
})

const REQUEST = CreateJobRequest.parse({ name: 'j', keywords: ['one', 'two'], language: 'en', max_results: 5 })

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
export const createQuietly = (by: Healthy, wanted: JobCreation) =>
  createJob({ ...by, engine: { ...by.engine, reconcile: async () => undefined } }, wanted)

const jobs = (healthy: Healthy) => {
  const find = async (job_id: string): Promise<JobDocument> =>
    (await healthy.jobs.find(job_id)) ?? expect.fail('no job')
  const pending = async (user_id: string): Promise<string> => {
    const { job_id } = await createQuietly(healthy, creation(user_id))
    await healthy.engine.reconcile(job_id)
    return job_id
  }
  return {
    find,
    /** A job whose first tasks are released. */
    pending,
    /** A job whose first task an agent holds, with its lease. */
    async running(user_id: string) {
      const job_id = await pending(user_id)
      const task =
        (await tasksOf(healthy.db).findOne({ job_id, state: 'released' })) ?? expect.fail('no task is released')
      const holder = { agent_id: 'agent', stream: 'stream' }
      const claimed = (await healthy.leases.claim(task._id, holder)) ?? expect.fail('the task is taken')
      const job = (await healthy.jobs.start(job_id)) ?? expect.fail('the job has started')
      await healthy.holds.chargeStart({ user_id, job_id, job_name: job.name, price: job.prices.job_start })
      return { job_id, lease: { ...holder, task_id: task._id, attempt: claimed.attempt } }
    },
  }
}

const sweeps = (healthy: Healthy) => {
  const { db } = healthy
  const never = new AbortController().signal
  /** Lets every wait of a user's jobs be over, then runs the loops of a coordinator. */
  const onceMore = async (user_id: string) => {
    const all = jobsOf(db)
    const past = LONG_AGO()
    await all.updateMany({ user_id, status: 'aborting' }, { $set: { aborted_at: past } })
    await all.updateMany({ user_id, listed: false, deleted_at: { $exists: false } }, { $set: { created_at: past } })
    await all.updateMany({ user_id, due_at: { $exists: true } }, { $set: { due_at: past } })
    await enforceDeadlines(healthy)
    await sweepOnce({ ...healthy, rollbackCreation: (job) => rollbackCreation(healthy, job) }, never)
  }
  const clocks = { due_at: 0, swept_at: 0, created_at: 0, aborted_at: 0 } as const
  const stateOf = (user_id: string) => jobsOf(db).find({ user_id }, { projection: clocks }).toArray()
  return {
    /** Does what coordinators do about the jobs of a user as time passes. */
    async sweep(user_id: string): Promise<void> {
      for (let round = 0; round < 4; round++) {
        const before = await stateOf(user_id)
        await onceMore(user_id)
        if (isDeepStrictEqual(before, await stateOf(user_id))) return
      }
    },
    /** Removes the work of a user, which the sweeps of later situations would find. */
    async forget(user_id: string): Promise<void> {
      for (const all of [jobsOf, tasksOf, monitorsOf]) await all(db).deleteMany({ user_id })
    },
    /** Lets the monitors of a user be looked at now, if they are to be looked at at all. */
    async sweepMonitors(user_id: string): Promise<void> {
      for (let round = 0; round < 2; round++) {
        const waiting = { user_id, due_at: { $exists: true } }
        await monitorsOf(db).updateMany(waiting, { $set: { due_at: LONG_AGO() } })
        await sweepMonitors(healthy, never)
      }
    },
  }
}
