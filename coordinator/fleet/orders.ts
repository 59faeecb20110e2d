import type { JobEngine } from '../jobs/engine.ts'
import type { Leases } from '../tasks/lease.ts'
import type { EnrolledAgent, Identities } from './identities.ts'
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
  const names = [...new Set([...parts.registrations.agents(), ...parts.streams.agents()])]
  if (names.length === 0) return
  const enrolled = new Map((await parts.identities.findSome(names)).map((agent) => [agent._id, agent]))
  for (const name of names) {
    const order = orderFor(enrolled.get(name))
    parts.registrations.order(name, order)
    if (order === 'leave') await dismiss(parts, name)
  }
}

function orderFor(agent: EnrolledAgent | undefined): AgentOrder {
  if (!agent || agent.revoked_at) return 'leave'
  return agent.draining ? 'drain' : 'work'
}

async function dismiss({ leases, streams, engine }: OrderParts, name: string): Promise<void> {
  const job_ids = await leases.giveBackOf(name)
  streams.stopAgent(name, 'revoked')
  for (const job_id of job_ids) await engine.advance(job_id)
}
