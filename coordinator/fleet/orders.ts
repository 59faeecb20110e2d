import type { JobEngine } from '../jobs/engine.ts'
import type { Leases } from '../tasks/lease.ts'
import type { EnrolledAgent, Enrolment, Identities } from './identities.ts'
import type { OpenStreams } from './open-streams.ts'
import type { AgentOrder, Registrations } from './registrations.ts'

/** How often every coordinator looks for orders to its agents: an operator's word holds within two of these. */
export const ORDERS_MS = 1_000

export type OrderParts = {
  identities: Identities
  registrations: Registrations
  streams: OpenStreams
  leases: Leases
  engine: JobEngine
}

/**
 * Passes on what operators decided about the enrolled agents that are connected here. It is read from the database, and
 * not sent over NATS, so that it holds although NATS is down: one small query, and none when nobody is connected.
 */
export async function followOrders(parts: OrderParts): Promise<void> {
  const connected = [...parts.registrations.enrolments(), ...parts.streams.enrolments()]
  const enrolments = [...new Map(connected.map((enrolment) => [enrolment.hash, enrolment])).values()]
  if (enrolments.length === 0) return
  const found = await parts.identities.findSome(enrolments.map(({ name }) => name))
  const enrolled = new Map(found.map((agent) => [agent._id, agent]))
  for (const enrolment of enrolments) {
    const order = orderFor(enrolment, enrolled.get(enrolment.name))
    parts.registrations.order(enrolment, order)
    if (order === 'leave') await dismiss(parts, enrolment)
  }
}

/** A name that was revoked and enrolled again has another token: whoever came with the old one leaves all the same. */
function orderFor({ hash }: Enrolment, agent: EnrolledAgent | undefined): AgentOrder {
  if (!agent || agent.revoked_at || agent.hash !== hash) return 'leave'
  return agent.draining ? 'drain' : 'work'
}

/** Gives back what the streams hold, and nothing of another process that has the name by now. */
async function dismiss({ leases, streams, engine }: OrderParts, enrolment: Enrolment): Promise<void> {
  const job_ids = new Set<string>()
  for (const stream of streams.of(enrolment)) {
    if (await leases.handBack(stream.lease)) job_ids.add(stream.job_id)
    stream.stop('revoked')
  }
  for (const job_id of job_ids) await engine.advance(job_id)
}
