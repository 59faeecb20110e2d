import { createHash, timingSafeEqual } from 'node:crypto'
import { type Metadata, type ServerDuplexStream, status as Status } from '@grpc/grpc-js'
import { isCompatible, PROTOCOL, PROTOCOL_METADATA } from '@placefleet/shared/protocol'
import { z } from 'zod'
import { processId } from '../tasks/lease.ts'
import type { AgentExit } from './agent-exit.ts'
import { type Enrolment, type Identities, isAgentToken } from './identities.ts'

/** An agent broke the contract (proto/placefleet/v1/fleet.proto). */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
}

const Id = z.uuid()

/** @throws ContractViolation unless an id that an agent chose is a UUID. */
export function mustBeId(id: string): void {
  if (!Id.safeParse(id).success) throw new ContractViolation('an id that is not a UUID')
}

/** Makes a text of an agent safe to show to users: at most 500 characters, no control characters. */
export const printable = (text: string): string => text.slice(0, 500).replaceAll(/\p{Cc}/gu, ' ')

/** The agent that the token of a call proves. */
export type Admitted = {
  /** The enrolment that its token proves; undefined with the shared AGENT_TOKEN. */
  enrolment: Enrolment | undefined
  /** The agent takes no new task. */
  draining: boolean
  protocol: number
}

export type Caller = Admitted & { exit: AgentExit }

/** The gRPC status of a rejected call, and the revoked agent that made it. */
export type Rejection = { code: Status; details: string; revoked?: string }

/** Authenticates a call by its metadata. Nothing is cached: a revoked token is refused with the next call. */
export type AgentAuthentication = (metadata: Metadata) => Promise<Admitted | Rejection>

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Accepts enrolled agents, and agents with the shared token if one is set. Compares tokens in constant time. */
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
    if (agent.revoked_at) return { ...WRONG_TOKEN, revoked: agent._id }
    return { enrolment: { name: agent._id, hash: agent.hash }, draining: agent.draining, protocol }
  }
}

const WRONG_TOKEN: Rejection = {
  code: Status.UNAUTHENTICATED,
  details:
    'the token is wrong or revoked; set AGENT_TOKEN to the token from `ops agents enrol`, or to the AGENT_TOKEN of the coordinator',
}

function otherVersion(protocol: number): Rejection {
  const behind = protocol < PROTOCOL ? 'update the agent' : 'update the coordinator first'
  const details = `the agent uses protocol ${protocol}, but the coordinator accepts ${Math.max(1, PROTOCOL - 1)} to ${PROTOCOL + 1}; ${behind}`
  return { code: Status.FAILED_PRECONDITION, details }
}

/** Returns the token of a call; empty without one. */
export function tokenOf(metadata: Metadata): string {
  const [value] = metadata.get('authorization')
  return typeof value === 'string' ? value.replace(/^Bearer /, '') : ''
}

function protocolOf(metadata: Metadata): number {
  const [value] = metadata.get(PROTOCOL_METADATA)
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0
}

/**
 * Returns the id of an agent's process: the id that it chose, below the name that its token proves.
 * @throws ContractViolation when the chosen id is not a UUID.
 */
export function idOf({ enrolment }: Pick<Caller, 'enrolment'>, agent_id: string): string {
  mustBeId(agent_id)
  return enrolment === undefined ? agent_id : processId(enrolment.name, agent_id)
}

/**
 * Returns who answers for a call: the enrolled agent, else the address, because who has the shared token chooses its
 * name.
 */
export function accountableFor(
  call: Pick<AgentCall<never>, 'getPeer'>,
  { enrolment }: Pick<Caller, 'enrolment'>,
): string {
  return enrolment?.name ?? addressOfPeer(call.getPeer())
}

/** Returns the address of a peer, without its port. */
export const addressOfPeer = (peer: string): string => peer.slice(0, peer.lastIndexOf(':'))

/** An undecoded message. `taken` reports that it was handled, so that the next one is read. */
export type Received = { bytes: Buffer; taken(): void }

/** A call of an agent. Its messages arrive undecoded. */
export type AgentCall<Response> = ServerDuplexStream<Received, Response>

/** Agents send a message every 5 or 10 s. A call that is silent for this long ends. */
const SILENCE_MS = 30_000

/**
 * Yields the messages of a call until either side ends it. Reads a message only after the last one was handled. The
 * iterator of Node's streams is no option: it destroys a call before our final status is sent.
 * @throws ContractViolation when a message cannot be decoded.
 */
export async function* messagesOf<Message, Response>(
  call: AgentCall<Response>,
  decode: (bytes: Uint8Array) => Message,
): AsyncGenerator<Message, void> {
  const silent = { code: Status.DEADLINE_EXCEEDED, details: 'the agent sent nothing for 30 s' }
  let changed = Promise.withResolvers<void>()
  for (const event of ['readable', 'end', 'close', 'error']) call.on(event, () => changed.resolve())
  while (!call.readableEnded && !isOver(call)) {
    changed = Promise.withResolvers()
    const received: Received | null = call.read()
    if (received) {
      yield decoded(received.bytes, decode)
      received.taken()
    } else if (!call.readableEnded && !isOver(call)) {
      const timer = setTimeout(() => endWith(call, silent), SILENCE_MS)
      await changed.promise
      clearTimeout(timer)
    }
  }
}

function decoded<Message>(bytes: Buffer, decode: (bytes: Uint8Array) => Message): Message {
  try {
    return decode(bytes)
  } catch (cause) {
    if (cause instanceof ContractViolation) throw cause
    throw new ContractViolation('a message that cannot be decoded', { cause })
  }
}

/** Sends a message, and waits while the agent does not read. Drops the message when the call has ended. */
export async function send<Response>(call: AgentCall<Response>, message: Response): Promise<void> {
  if (isOver(call) || call.write(message)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      call.off('drain', go).off('close', go)
      resolve()
    }
    call.on('drain', go).on('close', go)
  })
}

/** Ends a call with a status. Does nothing when the call has ended. */
export function endWith<Response>(call: AgentCall<Response>, status: { code: Status; details: string }): void {
  if (!isOver(call)) call.emit('error', status)
}

/** Returns whether a call accepts no more messages from us. */
export const isOver = <Response>(call: AgentCall<Response>): boolean =>
  call.writableEnded || call.cancelled || call.destroyed

/** Returns the gRPC status that tells an agent why its call failed. */
export function statusOf(error: unknown): { code: Status; details: string } {
  if (error instanceof ContractViolation) return { code: Status.INVALID_ARGUMENT, details: error.message }
  return { code: Status.UNAVAILABLE, details: 'the coordinator failed; reconnect' }
}

/** The end of a call whose token was revoked. */
export const REVOKED = { code: Status.UNAUTHENTICATED, details: 'the token was revoked' } as const
