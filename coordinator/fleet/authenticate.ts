import { createHash, timingSafeEqual } from 'node:crypto'
import { type Metadata, status as Status } from '@grpc/grpc-js'
import { isCompatible, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { processId } from '../tasks/lease.ts'
import { mustBeId } from './contract.ts'
import { type Enrolment, type Identities, isAgentToken } from './identities.ts'

/** The agent behind a call. */
export type Caller = {
  /** The enrolment that its token proves. Undefined: it uses the shared AGENT_TOKEN. */
  enrolment: Enrolment | undefined
  /** It takes no new task. */
  draining: boolean
  protocol: number
}

/** The gRPC status of a call that is not let in. */
export type Rejection = { code: Status; details: string }

/** Authenticates a call by its metadata. Nothing is cached: a revoked token is refused with the next call. */
export type AgentAuthentication = (metadata: Metadata) => Promise<Caller | Rejection>

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Lets in enrolled agents, and agents with the shared token if there is one. Compares tokens in constant time. */
export function createAgentAuthentication(
  identities: Identities,
  sharedToken: string | undefined,
): AgentAuthentication {
  const shared = sharedToken === undefined ? undefined : digest(sharedToken)
  return async (metadata) => {
    const protocol = protocolOf(metadata)
    if (!isCompatible(protocol)) return otherVersion(protocol)
    const token = tokenOf(metadata)
    if (shared && timingSafeEqual(digest(token), shared)) return { enrolment: undefined, draining: false, protocol }
    const agent = isAgentToken(token) ? await identities.findByToken(token) : undefined
    if (!agent) return WRONG_TOKEN
    return { enrolment: { name: agent._id, hash: agent.hash }, draining: agent.draining, protocol }
  }
}

const WRONG_TOKEN: Rejection = {
  code: Status.UNAUTHENTICATED,
  details:
    'the token is wrong or was revoked; set AGENT_TOKEN to the token that `ops agents enrol` gave, or to that of the coordinator',
}

function otherVersion(protocol: number): Rejection {
  const behind = protocol < PROTOCOL ? 'update the agent' : 'update the coordinator first'
  const details = `the agent speaks protocol ${protocol}, and the coordinator ${PROTOCOL}, one more or one less; ${behind}`
  return { code: Status.FAILED_PRECONDITION, details }
}

function tokenOf(metadata: Metadata): string {
  const [given] = metadata.get('authorization')
  return typeof given === 'string' ? given.replace(/^Bearer /, '') : ''
}

function protocolOf(metadata: Metadata): number {
  const [given] = metadata.get(PROTOCOL_METADATA)
  return typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : 0
}

/**
 * The id of an agent's process: the id that it chose, below the name that its token proves.
 * @throws ContractViolation when the chosen id is not a UUID.
 */
export function idOf({ enrolment }: Caller, agent_id: string): string {
  mustBeId(agent_id)
  return enrolment === undefined ? agent_id : processId(enrolment.name, agent_id)
}
