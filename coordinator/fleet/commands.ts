import type { JobEngine } from '../jobs/engine.ts'
import type { Leases } from '../tasks/lease.ts'
import type { EnrolledAgent, Enrolment, Identities } from './identities.ts'
import type { OpenStreams } from './open-streams.ts'

/** How often a coordinator reads the commands to its agents. A command takes effect within two of these. */
export const COMMANDS_MS = 1_000

type CommandDeps = {
  identities: Identities
  registrations: Registrations
  streams: OpenStreams
  leases: Leases
  engine: Pick<JobEngine, 'reconcile'>
}

/**
 * Passes commands to the enrolled agents that are connected to this coordinator. Commands are read from the database,
 * so they work while NATS is down. A run costs one small query, or none when no agent is connected.
 */
export async function followCommands(deps: CommandDeps): Promise<void> {
  const connected = [...deps.registrations.enrolments(), ...deps.streams.enrolments()]
  const enrolments = [...new Map(connected.map((enrolment) => [enrolment.hash, enrolment])).values()]
  if (enrolments.length === 0) return
  const identities = await deps.identities.findSome(enrolments.map(({ name }) => name))
  const enrolled = new Map(identities.map((agent) => [agent._id, agent]))
  for (const enrolment of enrolments) {
    const command = commandFor(enrolment, enrolled.get(enrolment.name))
    deps.registrations.command(enrolment, command)
    if (command === 'leave') await dismiss(deps, enrolment)
  }
}

/**
 * Returns the command for an agent. An agent whose name was revoked and enrolled again has an old token and must leave.
 */
function commandFor({ hash }: Enrolment, agent: EnrolledAgent | undefined): AgentCommand {
  if (!agent || agent.revoked_at || agent.hash !== hash) return 'leave'
  return agent.draining ? 'drain' : 'work'
}

/**
 * Gives back the tasks of an enrolment's streams. Tasks of a process that has enrolled under the same name since are
 * not affected.
 */
async function dismiss({ leases, streams, engine }: CommandDeps, enrolment: Enrolment): Promise<void> {
  const job_ids = new Set<string>()
  for (const stream of streams.of(enrolment)) {
    await leases.handBack(stream.lease) // changes nothing when the operator's command line has given it back
    stream.stop('revoked')
    job_ids.add(stream.job_id)
  }
  for (const job_id of job_ids) await engine.reconcile(job_id)
}

/** What an enrolled agent must do: take tasks, take no new tasks, or leave. */
export type AgentCommand = 'work' | 'drain' | 'leave'

/** The registration stream of an enrolled agent. `command` passes a command on; repeating it changes nothing. */
type Registration = { enrolment: Enrolment; command(command: AgentCommand): void }

/** The registration streams of enrolled agents that are open on this coordinator. */
export type Registrations = {
  /** Adds a stream. Returns the function that removes it. */
  add(registration: Registration): () => void
  /** Passes a command on to all processes that use the token of an enrolment. */
  command(enrolment: Enrolment, command: AgentCommand): void
  /** Returns the enrolment of each open stream. */
  enrolments(): Enrolment[]
}

export function createRegistrations(): Registrations {
  const open = new Set<Registration>()
  return {
    add(registration) {
      open.add(registration)
      return () => open.delete(registration)
    },
    command({ hash }, command) {
      for (const registration of open) if (registration.enrolment.hash === hash) registration.command(command)
    },
    enrolments: () => [...open].map(({ enrolment }) => enrolment),
  }
}
