import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { deliveriesOf } from '@placefleet/coordinator/webhooks/deliveries/documents'
import type { Chance } from '@placefleet/deploy/simulation/map-site/random'
import type { Db } from 'mongodb'
import { Webhook } from 'standardwebhooks'
import { createAuthority } from '../../harness/network/certificates.ts'
import { RECEIVER_NAMES, startReceiver } from '../../harness/network/receiver.ts'
import type { User } from '../users/user.ts'
import type { Expect } from './violation.ts'

/** One request that arrived at the receiver of all webhooks, and what it was answered. */
type Arrival = { id: string; body: string; headers: Record<string, unknown>; status: number }

/** Of a hundred requests so many are answered with a 500. */
const MOODY_PERCENT = 10

/** Starts a receiver of webhooks that does not always feel like it, until `behave`. `ca`: the authority to trust. */
export async function startMoodyReceiver(dice: Chance) {
  const authority = await createAuthority()
  const arrivals: Arrival[] = []
  let moody = true
  const receiver = await startReceiver(await authority.issue(RECEIVER_NAMES), (response, { headers, body }) => {
    const status = moody && dice.between(1, 100) <= MOODY_PERCENT ? 500 : 204
    arrivals.push({ id: String(headers['x-webhook-id']), body, headers, status })
    response.writeHead(status).end()
  })
  const behave = () => {
    moody = false
  }
  return { ...receiver, ca: authority.ca, arrivals, behave }
}

/** Checks that each end of a job was delivered, once recorded, every time the same and signed. */
export async function checkWebhooks(db: Db, users: readonly User[], all: Arrival[], expect: Expect): Promise<void> {
  const check = 'every webhook delivered'
  const arrived = Map.groupBy(all, ({ id }) => id)
  for (const { user_id, secret } of users) {
    const byJob = Map.groupBy(await deliveriesOf(db).find({ user_id }).toArray(), ({ job_id }) => job_id)
    const ended = jobsOf(db).find({ user_id, ended_at: { $exists: true } })
    for (const { _id, name, status } of await ended.toArray()) {
      const recorded = byJob.get(_id) ?? []
      expect(check, recorded.length === 1, `${name}: ${recorded.length} deliveries`)
      const [delivery] = recorded
      if (!delivery) continue
      const { event_type, attempt_count } = delivery
      const arrivals = arrived.get(delivery._id) ?? []
      const attempts = `${arrivals.length} arrivals in ${attempt_count} attempts`
      expect(check, event_type === `job.${status}`, `${name} is ${status}, and its webhook says ${event_type}`)
      expect(check, delivery.status === 'delivered', `${name}: its delivery is ${delivery.status}, ${attempts}`)
      expect(
        check,
        arrivals.some((one) => one.status === 204),
        `${name}: its delivery never arrived`,
      )
      expect(check, arrivals.length <= attempt_count && attempt_count <= 5, `${name}: ${attempts}`)
      const bodies = new Set(arrivals.map(({ body }) => body))
      expect(check, bodies.size <= 1, `${name}: its delivery changed between attempts`)
      for (const arrival of arrivals) expect(check, isSigned(secret, arrival), `${name}: a signature is wrong`)
    }
  }
}

function isSigned(secret: string, { body, headers }: Arrival): boolean {
  try {
    // The library refuses deliveries older than five minutes, and a run is longer. So it gets the time of the delivery.
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const signed = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
    return String(headers['webhook-signature']).split(' ').includes(signed)
  } catch {
    return false // it is not even in the form of one
  }
}
