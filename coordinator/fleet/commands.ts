import type { JobEngine } from '../jobs/engine.ts'
import type { Leases } from '../tasks/lease.ts'
import type { EnrolledAgent, Enrolment, Identities } from './identities.ts'
import type { OpenStreams } from './open-streams.ts'

/** How often every coordinator looks for orders to its agents: an operator's word holds within two of these. */
export const COMMANDS_MS = 1_000

export type CommandDeps = {
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
export async function followCommands(deps: CommandDeps): Promise<void> {
  const connected = [...deps.registrations.enrolments(), ...deps.streams.enrolments()]
  const enrolments = [...new Map(connected.map((enrolment) => [enrolment.hash, enrolment])).values()]
  if (enrolments.length === 0) return
  const found = await deps.identities.findSome(enrolments.map(({ name }) => name))
  const enrolled = new Map(found.map((agent) => [agent._id, agent]))
  for (const enrolment of enrolments) {
    const order = commandFor(enrolment, enrolled.get(enrolment.name))
    deps.registrations.order(enrolment, order)
    if (order === 'leave') await dismiss(deps, enrolment)
  }
}

/** A name that was revoked and enrolled again has another token: whoever came with the old one leaves all the same. */
function commandFor({ hash }: Enrolment, agent: EnrolledAgent | undefined): AgentCommand {
  if (!agent || agent.revoked_at || agent.hash !== hash) return 'leave'
  return agent.draining ? 'drain' : 'work'
}

/** Gives back what the streams hold, and nothing of another process that has the name by now. */
async function dismiss({ leases, streams, engine }: CommandDeps, enrolment: Enrolment): Promise<void> {
  const job_ids = new Set<string>()
  for (const stream of streams.of(enrolment)) {
    if (await leases.handBack(stream.lease)) job_ids.add(stream.job_id)
    stream.stop('revoked')
  }
  for (const job_id of job_ids) await engine.reconcile(job_id)
}

/** What an operator wants of an enrolled agent: to take tasks, to take no new ones, to go. */
export type AgentCommand = 'work' | 'drain' | 'leave'

/** A registration stream: the enrolled agent on it, and how to give it an order. An order may be given again. */
export type Registration = { enrolment: Enrolment; order(order: AgentCommand): void }

/** The registration streams of enrolled agents that are open on this coordinator. */
export type Registrations = {
  /** Adds a stream; call what it gives when the stream has ended. */
  add(registration: Registration): () => void
  /** Gives an order to all processes that came with the token of an enrolment. */
  order(enrolment: Enrolment, order: AgentCommand): void
  /** Whose streams are open, one for each stream. */
  enrolments(): Enrolment[]
}

/** No registrations yet. */
export function createRegistrations(): Registrations {
  const open = new Set<Registration>()
  return {
    add(registration) {
      open.add(registration)
      return () => open.delete(registration)
    },
    order({ hash }, order) {
      for (const registration of open) if (registration.enrolment.hash === hash) registration.order(order)
    },
    enrolments: () => [...open].map(({ enrolment }) => enrolment),
  }
}
