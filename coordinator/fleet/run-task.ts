import { status as Status } from '@grpc/grpc-js'
import { RunTaskRequest, type RunTaskResponse, type TaskEvent } from '@placefleet/proto/fleet'
import { canFail } from '@placefleet/shared/log'
import { type AgentCall, type Caller, ContractViolation, endWith, isOver, messagesOf, send } from './call.ts'
import { type ClaimDeps, type Granted, grantClaim } from './claim.ts'
import { type IngestDeps, ingest, keepLease, NEVER, type RunningTask, recordEvent } from './ingest.ts'
import type { StopReason } from './open-streams.ts'

export type RunTaskDeps = IngestDeps & ClaimDeps

export type TaskCall = AgentCall<RunTaskResponse>

/** Several times the size of a claim. An agent without a task has no reason to send more. */
const MAX_CLAIM_BYTES = 1_024

/** How long a stored event waits to be recorded with the end of its task. */
const MOMENT_MS = 20

/** A heartbeat so soon after the last confirmation of the lease changes nothing. */
const RECENT_MS = 2_000

/**
 * Serves one task stream until the task is over, its lease is lost or the stream breaks. Reads the next message once the
 * last one is durable, so a slow database slows the agent and fills no memory.
 */
export async function runTask(deps: RunTaskDeps, call: TaskCall, caller: Caller): Promise<void> {
  const messages = messagesOf(call, requestDecoder())
  const first = await messages.next()
  if (first.done) return void call.end()
  if (first.value.message?.$case !== 'claim') throw new ContractViolation('a stream that does not begin with a claim')
  const claim = first.value.message.value
  const granted = await grantClaim(deps, caller, claim)
  if ('refusal' in granted) {
    await send(call, { message: { $case: 'refusal', value: { reason: granted.refusal } } })
    return void call.end()
  }
  await send(call, { message: { $case: 'assignment', value: granted.assignment } })
  if (isOver(call) && claim.resume_attempt === undefined) return void (await deps.leases.handBack(granted.task.lease))
  await serveTask(deps, call, caller, messages, granted)
  call.end()
}

/** Decodes the messages of one stream. The first one is a claim. */
function requestDecoder(): (bytes: Uint8Array) => RunTaskRequest {
  let isFirst = true
  return (bytes) => {
    if (isFirst && bytes.length > MAX_CLAIM_BYTES) throw new ContractViolation('a claim that is too large')
    isFirst = false
    return RunTaskRequest.decode(bytes)
  }
}

async function serveTask(
  deps: RunTaskDeps,
  call: TaskCall,
  caller: Caller,
  messages: AsyncIterator<RunTaskRequest>,
  { task, assignment }: Granted,
): Promise<void> {
  const doubtLease = () => {
    task.confirmed = NEVER
  }
  const stop = (reason: StopReason) => {
    doubtLease()
    void canFail(deps.log, 'stopping an agent', stopAgent(call, reason))
  }
  const stream = { job_id: task.job._id, lease: task.lease, enrolment: caller.enrolment, stop, doubtLease }
  const remove = deps.streams.add(stream)
  let acknowledged = assignment.acknowledged_sequence
  const acknowledge = () => send(call, { message: { $case: 'acknowledgement', value: { sequence: acknowledged } } })
  let isDone = false
  try {
    for (let coming = messages.next(); ; coming = messages.next()) {
      if (task.unrecorded && !(await comesSoon(coming))) {
        if (!(await recordEvent(deps, task))) return stop('lease_lost')
        await acknowledge()
      }
      const next = await coming
      if (next.done) return
      const { message } = next.value
      if (message?.$case === 'heartbeat' && !(await keepLease(deps, task, RECENT_MS))) return stop('lease_lost')
      if (message?.$case !== 'event') continue
      if (isFind(message.value) && !(await recordEvent(deps, task))) return stop('lease_lost')
      const ingested = await ingestOnce(deps, task, message.value, acknowledged)
      isDone = ingested === 'over'
      if (ingested === 'lost') return stop('lease_lost')
      acknowledged = message.value.sequence > acknowledged ? message.value.sequence : acknowledged
      if (!task.unrecorded || isDone) await acknowledge()
      if (isDone) return
    }
  } catch (error) {
    if (error instanceof ContractViolation) await failAttempt(deps, task, error)
    throw error
  } finally {
    remove()
    if (!isDone) await streamEnded(deps, task)
  }
}

/** Whether an event brings places or references, and not the end of its task. */
const isFind = ({ body }: TaskEvent): boolean => body?.$case === 'places' || body?.$case === 'references'

/** Whether a message comes within a moment. The end of a task follows its last places at once, and one write records both. */
async function comesSoon(coming: Promise<unknown>): Promise<boolean> {
  const tooLate = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => tooLate.resolve(false), MOMENT_MS)
  try {
    return await Promise.race([coming.then(() => true), tooLate.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Ingests an event unless it is durable already: an agent sends every event again that was not acknowledged. */
async function ingestOnce(deps: RunTaskDeps, task: RunningTask, event: TaskEvent, acknowledged: bigint) {
  if (event.sequence <= acknowledged) return 'next'
  if (event.sequence !== acknowledged + 1n) throw new ContractViolation('an event whose predecessor is missing')
  return ingest(deps, task, event)
}

/** Stops an agent. When the agent must leave this coordinator, its stream ends as well. */
async function stopAgent(call: TaskCall, reason: StopReason): Promise<void> {
  await send(call, { message: { $case: 'stop', value: { reason } } })
  if (reason === 'draining') endWith(call, { code: Status.UNAVAILABLE, details: 'the coordinator is stopping' })
  if (reason === 'revoked') endWith(call, { code: Status.UNAUTHENTICATED, details: 'the token was revoked' })
}

/** Fails the attempt of an agent that broke the contract: the agent would do it again, and the task would never end. */
async function failAttempt({ leases, log }: RunTaskDeps, { lease }: RunningTask, { message }: ContractViolation) {
  const failure = { code: 'agent_crashed', message: `the agent sent ${message}` } as const
  await canFail(log, 'failing the attempt of an agent that broke the contract', leases.fail(lease, failure, {}))
}

/** Handles a stream that ended before its task: the agent stopped because the job ended, or is gone. */
async function streamEnded(deps: RunTaskDeps, { lease, job }: RunningTask): Promise<void> {
  const stillRunning = await deps.leases.shorten(lease)
  const current = stillRunning ? await deps.jobs.find(job._id) : undefined
  if (current?.status !== 'aborting') return
  await deps.leases.cancel(lease)
  await deps.engine.reconcile(job._id)
}

/** The gRPC status that tells an agent why its call failed. */
export function statusOf(error: unknown): { code: Status; details: string } {
  if (error instanceof ContractViolation) return { code: Status.INVALID_ARGUMENT, details: error.message }
  return { code: Status.UNAVAILABLE, details: 'the coordinator failed; reconnect' }
}
