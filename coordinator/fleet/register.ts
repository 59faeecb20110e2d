import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RegisterRequest, type RegisterResponse } from '@placefleet/proto/fleet'
import { canFail, type Logger } from '@placefleet/shared/log'
import { PROTOCOL } from '@placefleet/shared/protocol'
import type { AgentRegistry } from './agents.ts'
import {
  type AgentCall,
  accountableFor,
  type Caller,
  ContractViolation,
  endWith,
  idOf,
  messagesOf,
  REVOKED,
  send,
} from './call.ts'
import type { AgentCommand, Registrations } from './commands.ts'
import type { PathChecks } from './path-checks.ts'
import type { Quota } from './quota.ts'
import type { UnknownAnswers } from './unknown-answers.ts'

export type RegisterDeps = {
  log: Logger
  agents: AgentRegistry
  registrations: Registrations
  unknownAnswers: UnknownAnswers
  unknownQuota: Quota
  pathChecks: PathChecks
  version: string
}

/** The shortest time between two writes of an agent's description, so that no agent can overload the database. */
const DESCRIBE_MS = 200

/** Keeps an agent's entry in the registry while its registration stream is open, and sends it commands. */
export async function register(deps: RegisterDeps, call: AgentCall<RegisterResponse>, caller: Caller): Promise<void> {
  const answering = answers(deps, call, caller)
  const registration = randomUUID()
  const { agents } = deps
  const accountable = accountableFor(call, caller)
  let id: string | undefined
  try {
    for await (const description of messagesOf(call, RegisterRequest.decode)) {
      const described = idOf(caller, description.agent_id)
      if (id !== undefined && described !== id) throw new ContractViolation('another agent id on one stream')
      const known = { name: caller.enrolment?.name, exit: caller.exit }
      if (id === undefined) await agents.makeRoom(described, known.name ?? description.name, known.name !== undefined)
      await agents.record(described, description, known, id === undefined ? registration : undefined)
      if (id === undefined) logJoined(deps.log, described, caller, description)
      const unknown = description.unknown_answers.filter(({ id: answer }) => deps.unknownQuota(accountable, answer))
      await deps.unknownAnswers.record(known.name ?? description.name, unknown)
      if (description.checked_paths) await deps.pathChecks.record(known.exit.id, described, description.checked_paths)
      id = described
      await answering.say(await deps.pathChecks.take(known.exit.id, described))
      await sleep(DESCRIBE_MS)
    }
    call.end()
  } finally {
    answering.stop()
    if (id !== undefined) await canFail(deps.log, 'recording that an agent left', agents.disconnected(id, registration))
  }
}

/** Sends the coordinator's version and whether the agent must drain, and sends them again when that changes. */
function answers({ log, registrations, version }: RegisterDeps, call: AgentCall<RegisterResponse>, caller: Caller) {
  let drain = caller.draining
  const say = (check_id = '') => send(call, { coordinator_version: version, protocol: PROTOCOL, drain, check_id })
  const command = (received: AgentCommand) => {
    if (received === 'leave') endWith(call, REVOKED)
    if (received === 'leave' || drain === (received === 'drain')) return
    drain = received === 'drain'
    void canFail(log, 'passing on a command', say())
  }
  const { enrolment } = caller
  return { say, stop: enrolment === undefined ? () => undefined : registrations.add({ enrolment, command }) }
}

function logJoined(log: Logger, agent_id: string, { protocol }: Caller, { name }: RegisterRequest): void {
  log.info({ agent_id, agent: name }, 'agent joined')
  if (protocol !== PROTOCOL)
    log.warn({ agent_id, protocol, mine: PROTOCOL }, 'the agent uses another, compatible protocol version')
}
