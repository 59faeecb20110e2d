import { type DeliverDeps, deliver } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import { createDeliveryDeps } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import { recordDeliveries, recordPause } from '@placefleet/coordinator/webhooks/deliveries/record'
import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import { createWebhook } from '@placefleet/coordinator/webhooks/store'
import type { Db } from 'mongodb'
import { expect } from 'vitest'
import { SCAN } from '../../harness/servers/scan.ts'
import type { Bed } from './bed.ts'
import type { Operation } from './operation.ts'

const endedJob = (user_id: string) => {
  const now = new Date()
  const facts = { name: 'j', status: 'completed', result_count: 0, created_at: now, ended_at: now } as const
  return { job_id: crypto.randomUUID(), user_id, ...facts }
}

/** A user with two webhooks. */
async function twoWebhooks({ db, healthy, user }: Bed): Promise<string> {
  const user_id = await user()
  const url = 'https://hooks.example.com/two'
  await createWebhook(db, healthy.secrets, user_id, {
    name: 'w',
    url,
    event_types: ['job.completed', 'monitor.paused'],
  })
  return user_id
}

const recorded = (name: string, record: (db: Db, user_id: string) => Promise<unknown>): Operation => ({
  name: `webhooks/deliveries/record.ts ${name}`,
  when: 'for two webhooks',
  async begin(bed) {
    const user_id = await twoWebhooks(bed)
    return {
      users: [],
      call: (db) => record(db, user_id),
      async check() {
        expect(await deliveriesOf(bed.db).countDocuments({ user_id }, SCAN)).toBe(2)
      },
    }
  },
})

function jobEnd() {
  const jobs = new Map<string, ReturnType<typeof endedJob>>()
  return (db: Db, user_id: string) => {
    const job = jobs.get(user_id) ?? endedJob(user_id)
    jobs.set(user_id, job)
    return recordDeliveries(db, job)
  }
}

const paused = (db: Db, user_id: string) =>
  recordPause(db, { monitor_id: user_id, user_id, name: 'm', reason: 'r', paused_at: new Date(0) })

const depsOver = ({ log, healthy }: Bed, db: Db): DeliverDeps => {
  const hourly = { account: 1_000, address: 1_000 }
  return createDeliveryDeps({ ...healthy, ...healthy.counters, log, db, hourly })
}

const exhausted: Operation = {
  name: 'webhooks/deliveries/deliver.ts deliver',
  when: 'the tenth delivery in a row that used up its attempts',
  async begin(bed) {
    const { db } = bed
    const user_id = await bed.user()
    await webhooksOf(db).updateOne({ user_id }, { $set: { consecutive_failures: 9, health_state: 'degraded' } })
    await recordDeliveries(db, endedJob(user_id))
    await deliveriesOf(db).updateMany({ user_id }, { $set: { attempt_count: 5 } }, SCAN)
    const { queue } = depsOver(bed, db)
    const [tenth] = await deliveriesOf(db).find({ user_id }, SCAN).toArray()
    const claimed = (await queue.takeOne(tenth?._id ?? '')) ?? expect.fail('the delivery is claimed')
    await recordDeliveries(db, endedJob(user_id))
    const webhook = async () => (await webhooksOf(db).findOne({ user_id })) ?? expect.fail('no webhook')
    return {
      users: [],
      call: async (seen) => deliver(depsOver(bed, seen), claimed, await webhook()),
      async settle() {
        for (const { _id } of await deliveriesOf(db).find({ user_id, status: 'pending' }, SCAN).toArray()) {
          const due = await queue.takeOne(_id)
          if (due) await deliver(depsOver(bed, db), due, await webhook())
        }
      },
      async check() {
        expect(await webhook()).toMatchObject({ health_state: 'disabled', consecutive_failures: 10 })
        const states = (await deliveriesOf(db).find({ user_id }, SCAN).toArray()).map(({ status }) => status)
        expect(states.sort()).toEqual(['dropped', 'failed'])
      },
    }
  },
}

/** The operations of webhooks. */
export const webhookOperations: readonly Operation[] = [
  recorded('recordDeliveries', jobEnd()),
  recorded('recordPause', paused),
  exhausted,
]
