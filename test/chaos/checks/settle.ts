import { setTimeout as sleep } from 'node:timers/promises'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { CLOSED, IN_CREATION } from '@placefleet/coordinator/jobs/phase'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { isFinal, JOB_STATUSES } from '@placefleet/shared/job-status'
import type { Db } from 'mongodb'
import type { Client, Order } from '../users/user.ts'
import type { Expect } from './violation.ts'

/** Half a second apart, so longer than the minute for which a creation that died holds its Idempotency-Key. */
const TRIES = 150
const JOB_GRACE_MS = 60_000
const QUIET_WITHIN_MS = 100_000

/** Ends what users left open, as a client that goes on trying would: nothing is of unknown outcome then. */
export async function settleOrders(orders: Order[], clientOf: (order: Order) => Client, expect: Expect): Promise<void> {
  for (const order of orders) {
    const client = clientOf(order)
    for (let tries = 0; !order.created && tries < TRIES; tries++) {
      await client.create(order)
      if (!order.created) await sleep(500)
    }
    expect('healed', order.created, `${order.request.name} could not be created though all is well again`)
    for (let tries = 0; order.delete === 'unknown' && tries < TRIES; tries++) await client.remove(order)
    if (order.cancel === 'unknown' && order.delete !== 'ok') await client.cancel(order)
  }
}

/** Waits until every job is over, as long as the promise allows. */
export async function allFinal(db: Db, longestMs: number, expect: Expect): Promise<void> {
  const active = { status: { $nin: JOB_STATUSES.filter(isFinal) } }
  const deadline = performance.now() + longestMs + JOB_GRACE_MS
  while (performance.now() < deadline && (await jobsOf(db).countDocuments(active)) > 0) await sleep(500)
  for (const { _id, name, status, listed, started_at, deadline_at } of await jobsOf(db).find(active).toArray()) {
    const tasks = await tasksOf(db).find({ job_id: _id }).toArray()
    const states = tasks.map(({ kind, state, attempt, failures }) => `${kind} ${state} ${attempt}/${failures}`)
    const job = { _id, name, status, listed, started_at, deadline_at, states }
    expect('every job final', false, JSON.stringify(job))
  }
}

/** Waits until nothing is left to do behind the ended jobs. */
export const allQuiet = (db: Db, expect: Expect): Promise<void> => {
  const jobs = (filter: object) => jobsOf(db).countDocuments(filter)
  const left = async () => ({
    'open tasks': await tasksOf(db).countDocuments({ state: { $in: ['waiting', 'released', 'running'] } }),
    'jobs whose end is not closed': await jobs({ phase: { $nin: [...CLOSED] } }),
    'deleted jobs not removed': await jobs({ listed: false, phase: { $nin: [...IN_CREATION, 'deleted'] } }),
    'creations half way': await jobs({ phase: { $in: [...IN_CREATION] } }),
    'slots taken': await jobs({ slot: { $exists: true } }),
    'webhook deliveries pending': await deliveriesOf(db).countDocuments({ status: 'pending' }),
  })
  return quiet(left, QUIET_WITHIN_MS, expect)
}

/** Waits until all counts are zero. */
export async function quiet(left: () => Promise<Record<string, number>>, withinMs: number, expect: Expect) {
  const deadline = performance.now() + withinMs
  let counts = await left()
  while (performance.now() < deadline && Object.values(counts).some((count) => count > 0)) {
    await sleep(500)
    counts = await left()
  }
  for (const [what, count] of Object.entries(counts)) expect('nothing left over', count === 0, `${count} ${what}`)
}
