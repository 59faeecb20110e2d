import type { UserLimit } from '@placefleet/coordinator/accounts/limits'
import { createUser } from '@placefleet/coordinator/accounts/store'
import { grant } from '@placefleet/coordinator/billing/ledger/grant'
import { readConfig } from '@placefleet/coordinator/config'
import { cancelJob } from '@placefleet/coordinator/jobs/cancel'
import { createJob } from '@placefleet/coordinator/jobs/create'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { BLOCKED } from '@placefleet/coordinator/jobs/job-end'
import { moveJob } from '@placefleet/coordinator/jobs/phase-moves'
import { abandonCreation, findJob, takenSlots } from '@placefleet/coordinator/jobs/store'
import { expireLeases } from '@placefleet/coordinator/jobs/sweep'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import { MongoNetworkError } from 'mongodb'
import { connect } from 'nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createParts, type Parts } from '../../harness/coordinator/parts.ts'
import { workOn } from '../../harness/coordinator/work-on.ts'
import { coordinatorEnv, startWorld, type World } from '../../harness/coordinator/world.ts'
import { until } from '../../harness/until.ts'
import { steppingDb } from '../billing/crashing-db.ts'

const CREDITS = 1_000_000
const ends: (() => Promise<void>)[] = []
let world: World
let healthy: Parts
let servicesOver: (db: World['db']) => Promise<Parts>
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

beforeAll(async () => {
  world = await startWorld((end) => void ends.push(end))
  const nats = await connect(natsServers(world.natsUrl))
  ends.push(() => nats.close())
  const config = readConfig(coordinatorEnv(world))
  servicesOver = (db) => createParts({ config, log: world.log, db, nats })
  healthy = await servicesOver(world.db)
})

/** Creates a user with credits. */
async function newUser(): Promise<string> {
  const { _id: user_id } = await createUser(world.db, { email: `${crypto.randomUUID()}@example.com` })
  const reference = { reference_type: 'grant', reference_id: 'test' }
  await grant(healthy.ledger, { user_id, amount: CREDITS, type: 'bonus', reference, description: 'test' })
  return user_id
}

function create(
  services: Parts,
  user_id: string,
  creationLimit: UserLimit = { take: async () => undefined },
  more: Partial<CreateJobRequest> = {},
): Promise<string> {
  const fields = { name: 'j', keywords: ['one', 'two'], language: 'en', max_results: 5, ...more }
  const request = CreateJobRequest.parse(fields)
  const creation = { user_id, source: 'api' as const, paid: false, concurrent_jobs: 1, request }
  return createJob({ ...services, creationLimit }, creation).then(({ job_id }) => job_id)
}

/** Creates a job whose first task an agent holds. */
async function createRunning(user_id: string) {
  const job_id = await create(healthy, user_id)
  const task = await until('a task is released', async () => {
    await healthy.engine.reconcile(job_id)
    return await tasksOf(world.db).findOne({ job_id, state: 'released' })
  })
  const holder = { agent_id: 'agent', stream: 'stream' }
  const claimed = (await healthy.leases.claim(task._id, holder)) ?? expect.fail('the task is taken')
  await healthy.engine.start((await findJob(healthy.db, job_id)) ?? expect.fail('no job'))
  await until('the start is charged', async () => ((await healthy.holds.of(user_id, job_id))?.charged ?? 0) > 0)
  return { job_id, lease: { ...holder, task_id: task._id, attempt: claimed.attempt } }
}

/** Returns what a user sees of their account, and their unfinished work. */
async function leftOf(user_id: string, job_id?: string) {
  const { held, balance } = await healthy.ledger.state(user_id)
  const job = job_id === undefined ? undefined : await jobsOf(world.db).findOne({ _id: job_id })
  const active = ['waiting', 'released', 'running'] as const
  return {
    slots: await takenSlots(healthy.db, user_id),
    held,
    charged: CREDITS - balance,
    tasks: await tasksOf(world.db).countDocuments({ user_id, state: { $in: [...active] } }),
    job: job && { status: job.status, shown: job.listed, cost: job.total_cost },
  }
}

const START = 7_000
const gone = { slots: [], held: 0, tasks: 0 }

describe('the engine', () => {
  test('refuses a creation that another process undid meanwhile, which leaves nothing', async () => {
    const user_id = await newUser()
    const undoing: Parts['holds']['prepare'] = async (hold) => {
      const placeHold = await healthy.holds.prepare(hold)
      return () => placeHold().finally(() => abandonCreation(healthy.db, hold.job_id))
    }
    const slow = create({ ...healthy, holds: { ...healthy.holds, prepare: undoing } }, user_id)
    await expect(slow).rejects.toThrow('took too long')
    expect(await leftOf(user_id)).toMatchObject({ ...gone, charged: 0 })
  })

  test('creates no job beyond the limits of its user, and leaves nothing of it', async () => {
    const user_id = await newUser()
    const limit: UserLimit = { take: () => Promise.reject(new Error('too many jobs in a minute')) }
    await expect(create(healthy, user_id, limit)).rejects.toThrow('too many jobs in a minute')
    expect(await leftOf(user_id)).toMatchObject({ ...gone, charged: 0 })
    await create(healthy, user_id)
    await expect(create(healthy, user_id)).rejects.toMatchObject({ code: 'concurrent_job_limit' })
    expect(await jobsOf(world.db).countDocuments({ user_id })).toBe(1)
  })

  test('aborts a job at its deadline, and takes tasks from agents whose leases ran out', async () => {
    const { job_id, lease } = await createRunning(await newUser())
    const past = new Date(Date.now() - 60_000)
    await tasksOf(world.db).updateOne({ _id: lease.task_id }, { $set: { lease_until: past } })
    await expireLeases(healthy)
    await until('the task is released again', async () => {
      const task = await tasksOf(world.db).findOne({ _id: lease.task_id, state: 'released' })
      return task?.failures === 1
    })
    await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { deadline_at: past } })
    await workOn(world.db, healthy, job_id)
    expect(await findJob(healthy.db, job_id)).toMatchObject({ status: 'cancelled', cancel_reason: 'timeout' })
  })

  test.each([
    ['as many collect tasks as its window holds', 'no_website' as const, 2],
    ['only the collect tasks that its cap needs', 'all' as const, 1],
  ])('releases %s for a job with the website filter %s', async (_, website_filter, tasks) => {
    const user_id = await newUser()
    const job_id = await create(healthy, user_id, undefined, { website_filter, max_results: 1 })
    await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { phase: 'running', status: 'running' } })
    // Before its searches are done: a pass of its own would end the job without references.
    await healthy.references.add(
      job_id,
      Array.from({ length: 30 }, (_, n) => ({ place_key: `0x1:0x${n + 1}` })),
    )
    await tasksOf(world.db).updateMany({ job_id, kind: 'discover' }, { $set: { state: 'done' } })
    await healthy.engine.reconcile(job_id)
    expect(await tasksOf(world.db).countDocuments({ job_id, kind: 'collect' })).toBe(3)
    expect(await tasksOf(world.db).countDocuments({ job_id, kind: 'collect', state: 'released' })).toBe(tasks)
  })

  test('lets a job outlive its deadline while the map site refuses all its tasks', async () => {
    const { job_id, lease } = await createRunning(await newUser())
    await healthy.leases.snooze(lease, { seconds: 600, claimant: 'exit', others: [] }, {})
    const refused = await tasksOf(world.db).findOne({ _id: lease.task_id })
    const others = { job_id, _id: { $ne: lease.task_id } }
    await tasksOf(world.db).updateMany(others, {
      $set: { state: 'waiting', not_before: refused?.not_before ?? new Date(), refused: refused?.refused ?? [] },
    })
    await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { deadline_at: new Date(0) } })
    await workOn(world.db, healthy, job_id)
    const job = await findJob(healthy.db, job_id)
    expect(job).toMatchObject({ status: 'running', rest: { until: refused?.not_before } })
    expect(Number(job?.deadline_at)).toBeGreaterThan(Number(refused?.not_before))
  })

  test('cancels no job that has ended', async () => {
    const user_id = await newUser()
    const { job_id } = await createRunning(user_id)
    const ending = await moveJob(healthy.db, { _id: job_id, phase: 'running' }, 'ending', { end: BLOCKED })
    await healthy.engine.reconcile(ending?._id ?? expect.fail('not running'))
    await expect(cancelJob(healthy.db, healthy.engine, user_id, job_id)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('answers with the job whose last write of its creation was stored and not acknowledged', async () => {
    const user_id = await newUser()
    let writes = 0
    const lostAnswer = async (write: () => Promise<unknown>) => {
      await write()
      writes += 1
      if (writes === 2) throw new MongoNetworkError('connection closed') // the tasks, then the list
    }
    const job_id = await create({ ...healthy, db: steppingDb(world.db, ['bulkWrite'], lostAnswer) }, user_id)
    expect(await leftOf(user_id, job_id)).toMatchObject({ slots: [0], job: { status: 'pending', shown: true } })
  })

  test('refuses to cancel a job that ends between the read and the cancellation', async () => {
    const user_id = await newUser()
    const { job_id } = await createRunning(user_id)
    const endsAfter = async (read: () => Promise<unknown>) => {
      const found = await read()
      await moveJob(healthy.db, { _id: job_id, phase: 'running' }, 'ending', { end: { status: 'completed' } })
      return found
    }
    const late = cancelJob(steppingDb(world.db, ['findOne'], endsAfter), healthy.engine, user_id, job_id)
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
  })

  test('ends a cancelled job whose agents never stop', async () => {
    const { job_id } = await createRunning(await newUser())
    await healthy.engine.endEarly((await findJob(healthy.db, job_id)) ?? expect.fail('no job'))
    await jobsOf(world.db).updateOne({ _id: job_id }, { $set: { phase_at: new Date(Date.now() - 60_000) } })
    await workOn(world.db, healthy, job_id)
    expect(await findJob(healthy.db, job_id)).toMatchObject({ status: 'cancelled' })
  })

  const statesOf = async (job_id: string) =>
    (await tasksOf(world.db).find({ job_id }).toArray()).map(({ state }) => state).sort()

  test('charges the start of a job when it starts', async () => {
    const user_id = await newUser()
    const { job_id } = await createRunning(user_id)
    expect(await leftOf(user_id, job_id)).toMatchObject({ charged: START })
  })

  test('shows how many tasks of a job have ended', async () => {
    const { job_id } = await createRunning(await newUser())
    await tasksOf(world.db).updateMany({ job_id, state: { $ne: 'running' } }, { $set: { state: 'done' } })
    const { engine } = await servicesOver(world.db) // of another coordinator, which has shown nothing of the job yet
    await engine.reconcile(job_id)
    expect(await findJob(healthy.db, job_id)).toMatchObject({ progress: { tasks_total: 2, tasks_done: 1 } })
  })

  test('ends the tasks of a cancelled job that no agent holds at once, and releases no returned ones', async () => {
    const { job_id, lease } = await createRunning(await newUser())
    await healthy.engine.endEarly((await findJob(healthy.db, job_id)) ?? expect.fail('no job'))
    expect(await statesOf(job_id)).toEqual(['cancelled', 'running'])
    await tasksOf(world.db).updateOne({ job_id, _id: { $ne: lease.task_id } }, { $set: { state: 'waiting' } })
    await healthy.engine.reconcile(job_id)
    expect(await statesOf(job_id)).toEqual(['cancelled', 'running'])
  })
})
