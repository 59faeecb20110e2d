import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { Db } from 'mongodb'
import { Webhook } from 'standardwebhooks'
import type { User } from '../users/orders.ts'
import type { Receiver } from '../users/receiver.ts'
import { createFindings, type Violation } from './violation.ts'

/** Checks that each end of a job was delivered, once recorded, every time the same and signed. */
export async function checkWebhooks(db: Db, users: readonly User[], receiver: Receiver): Promise<Violation[]> {
  const { violations, expect } = createFindings('every webhook delivered')
  const arrived = Map.groupBy(receiver.arrivals, ({ id }) => id)
  for (const user of users) {
    if (!user.webhook) continue
    const deliveries = await deliveriesOf(db).find({ user_id: user.user_id }).toArray()
    const byJob = Map.groupBy(deliveries, ({ job_id }) => job_id)
    const ended = await jobsOf(db)
      .find({ user_id: user.user_id, ended_at: { $exists: true } })
      .toArray()
    for (const { _id, name, status } of ended) {
      const [delivery, ...more] = byJob.get(_id) ?? []
      expect(delivery !== undefined && more.length === 0, `${name}: ${more.length + (delivery ? 1 : 0)} deliveries`)
      if (!delivery) continue
      const all = arrived.get(delivery._id) ?? []
      const { attempt_count: attempts } = delivery
      expect(
        delivery.event_type === `job.${status}`,
        `${name} is ${status}, and its webhook says ${delivery.event_type}`,
      )
      expect(delivery.status === 'delivered', `${name}: its delivery is ${delivery.status} after ${attempts} attempts`)
      expect(
        all.some(({ status }) => status === 204),
        `${name}: its delivery never arrived`,
      )
      expect(all.length <= attempts && attempts <= 5, `${name}: ${all.length} arrivals in ${attempts} attempts`)
      expect(new Set(all.map(({ body }) => body)).size <= 1, `${name}: its delivery changed between attempts`)
      for (const arrival of all) expect(isSigned(user.webhook.secret, arrival), `${name}: a signature is wrong`)
    }
  }
  return violations
}

function isSigned(secret: string, { body, headers }: { body: string; headers: Record<string, string> }): boolean {
  try {
    // The library refuses deliveries older than five minutes, and a run is longer. So it gets the time of the delivery.
    const signed = new Webhook(secret).sign(
      headers['webhook-id'] ?? '',
      new Date(Number(headers['webhook-timestamp']) * 1_000),
      body,
    )
    return headers['webhook-signature']?.split(' ').includes(signed) === true
  } catch {
    return false // it is not even in the form of one
  }
}
