import { createHash, timingSafeEqual } from 'node:crypto'
import { type Metadata, status as Status } from '@grpc/grpc-js'
import { PROTOCOL, PROTOCOL_METADATA, speaksWithUs } from '@placefleet/shared/protocol'
import { type Enrolment, type Identities, isAgentToken } from './identities.ts'

/** Who calls. */
export type Caller = {
  /** What its token proves; undefined for those who share AGENT_TOKEN. */
  enrolment: Enrolment | undefined
  /** Takes no new task. */
  draining: boolean
  protocol: number
}

/** Why a call is not let in, as gRPC says it. */
export type Refused = { code: Status; details: string }

/** Decides over a call by its metadata. Nothing is cached: what an operator revoked is refused with the next call. */
export type Admission = (metadata: Metadata) => Promise<Caller | Refused>

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Lets in enrolled agents and, if there is one, those who have the shared token, compared in a time that tells nothing. */
export function createAdmission(identities: Identities, sharedToken: string | undefined): Admission {
  const shared = sharedToken === undefined ? undefined : digest(sharedToken)
  return async (metadata) => {
    const protocol = protocolOf(metadata)
    if (!speaksWithUs(protocol)) return otherVersion(protocol)
    const token = tokenOf(metadata)
    if (shared && timingSafeEqual(digest(token), shared)) return { enrolment: undefined, draining: false, protocol }
    const agent = isAgentToken(token) ? await identities.findByToken(token) : undefined
    if (!agent) return WRONG_TOKEN
    return { enrolment: { name: agent._id, hash: agent.hash }, draining: agent.draining, protocol }
  }
}

const WRONG_TOKEN: Refused = {
  code: Status.UNAUTHENTICATED,
  details:
    'the token is wrong or was revoked; set AGENT_TOKEN to what `ops agents enrol` gave, or as the coordinator has it',
}

function otherVersion(protocol: number): Refused {
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
  if (given === undefined) return 1 // which did not say it yet
  return typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : 0
}
