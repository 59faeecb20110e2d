import { setTimeout as sleep } from 'node:timers/promises'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { CLOSED, IN_CREATION } from '@placefleet/coordinator/jobs/phase'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { isFinal, JOB_STATUSES } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import type { Order } from '../users/orders.ts'
import type { createUserClient } from '../users/user.ts'
import { createFindings, type Violation } from './violation.ts'

type Client = ReturnType<typeof createUserClient>

/** Half a second apart, so longer than the minute for which a creation that died holds its Idempotency-Key. */
const TRIES = 150
const JOB_GRACE_MS = 60_000
const QUIET_WITHIN_MS = 100_000

/** Ends what users left open, as a client that goes on trying would: nothing is of unknown outcome then. */
export async function settleOrders(orders: Order[], clientOf: (order: Order) => Client): Promise<Violation[]> {
  const { violations, expect } = createFindings('healed')
  for (const order of orders) {
    const client = clientOf(order)
    for (let tries = 0; order.created === 'open' && tries < TRIES; tries++) {
      if ((await client.create(order)) !== 'ok') await sleep(500)
    }
    expect(order.created !== 'open', `${order.request.name} could not be created though all is well again`)
    for (let tries = 0; order.delete === 'unknown' && tries < TRIES; tries++) await client.remove(order)
    if (order.cancel === 'unknown' && order.delete !== 'ok') await client.cancel(order)
  }
  return violations
}

/** Waits until every job is over, as long as the promise allows. */
export async function allFinal(db: Db, longestMs: number): Promise<Violation[]> {
  const { violations, expect } = createFindings('every job final')
  const active = { status: { $nin: JOB_STATUSES.filter(isFinal) } }
  const deadline = performance.now() + longestMs + JOB_GRACE_MS
  while (performance.now() < deadline && (await jobsOf(db).countDocuments(active)) > 0) await sleep(500)
  for (const job of await jobsOf(db).find(active).toArray()) {
    const tasks = await tasksOf(db).find({ job_id: job._id }).toArray()
    const states = tasks.map(({ kind, state, attempt, failures }) => `${kind} ${state} ${attempt}/${failures}`)
    const { _id, name, status, listed, started_at, deadline_at } = job
    expect(false, `${JSON.stringify({ _id, name, status, listed, started_at, deadline_at, states })}`)
  }
  return violations
}

/** Waits until nothing is left to do behind the ended jobs. */
export async function allQuiet(db: Db): Promise<Violation[]> {
  const { violations, expect } = createFindings('nothing left over')
  const left = async () => ({
    'open tasks': await tasksOf(db).countDocuments({ state: { $in: ['waiting', 'released', 'running'] } }),
    'jobs whose end is not closed': await jobsOf(db).countDocuments({ phase: { $nin: [...CLOSED] } }),
    'deleted jobs not removed': await jobsOf(db).countDocuments({
      listed: false,
      phase: { $nin: [...IN_CREATION, 'deleted'] },
    }),
    'creations half way': await jobsOf(db).countDocuments({ phase: { $in: [...IN_CREATION] } }),
    'slots taken': await jobsOf(db).countDocuments({ slot: { $exists: true } }),
    'webhook deliveries pending': await deliveriesOf(db).countDocuments({ status: 'pending' }),
  })
  const deadline = performance.now() + QUIET_WITHIN_MS
  let found = await left()
  while (performance.now() < deadline && Object.values(found).some((count) => count > 0)) {
    await sleep(500)
    found = await left()
  }
  for (const [what, count] of Object.entries(found)) expect(count === 0, `${count} ${what}`)
  return violations
}
