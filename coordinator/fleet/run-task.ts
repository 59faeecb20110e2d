import { randomUUID } from 'node:crypto'
import { status as Status } from '@grpc/grpc-js'
import {
  type Assignment,
  type Claim,
  RunTaskRequest,
  type RunTaskResponse,
  type TaskEvent,
} from '@placefleet/proto/fleet'
import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import type { JobDocument } from '../jobs/documents.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import type { Lease } from '../tasks/lease.ts'
import type { TaskStore } from '../tasks/store.ts'
import { type AssignmentDeps, assignmentOf } from './assignment.ts'
import type { Caller } from './authenticate.ts'
import { idOf } from './authenticate.ts'
import { type AgentCall, endWith, isOver, messagesOf, send } from './call.ts'
import { ContractViolation, mustBeId } from './contract.ts'
import { type IngestDeps, ingest } from './ingest.ts'
import type { OpenStreams, StopReason } from './open-streams.ts'

export type RunTaskDeps = IngestDeps & AssignmentDeps & { tasks: TaskStore; streams: OpenStreams }

export type TaskCall = AgentCall<RunTaskResponse>

/** More than an agent has slots: what a stolen token can claim at once. */
const MAX_TASKS_OF_AGENT = 200

/** Several times what a claim is: who holds no task yet has no reason to send more. */
const MAX_CLAIM_BYTES = 1_024

type Granted = { lease: Lease; job: JobDocument; assignment: Assignment }

/**
 * Talks with an agent about one task until the task is over, its lease lost or the stream broken. Messages are read
 * one by one as they are made durable, so a slow database slows the agent and not the memory.
 */
export async function runTask(deps: RunTaskDeps, call: TaskCall, caller: Caller): Promise<void> {
  const messages = messagesOf(call, requestDecoder())
  const first = await messages.next()
  if (first.done) return void call.end()
  if (first.value.message?.$case !== 'claim') throw new ContractViolation('a stream that does not begin with a claim')
  const claim = first.value.message.value
  const granted = await grant(deps, caller, claim)
  if ('refusal' in granted) {
    await send(call, { message: { $case: 'refusal', value: { reason: granted.refusal } } })
    return void call.end()
  }
  await send(call, { message: { $case: 'assignment', value: granted.assignment } })
  if (isOver(call) && claim.resume_attempt === undefined) return void (await deps.leases.handBack(granted.lease))
  await converse(deps, call, caller, messages, granted)
  call.end()
}

/** Decodes the messages of one stream, of which the first is a claim. */
function requestDecoder(): (bytes: Uint8Array) => RunTaskRequest {
  let isFirst = true
  return (bytes) => {
    if (isFirst && bytes.length > MAX_CLAIM_BYTES) throw new ContractViolation('a claim that is too large')
    isFirst = false
    return RunTaskRequest.decode(bytes)
  }
}

async function grant(deps: RunTaskDeps, caller: Caller, claim: Claim): Promise<Granted | { refusal: string }> {
  mustBeId(claim.task_id)
  if (claim.claim_id !== undefined) mustBeId(claim.claim_id)
  const holder = { agent_id: idOf(caller, claim.agent_id), stream: randomUUID() }
  const found = await deps.tasks.find(claim.task_id)
  if (!found) return { refusal: 'unknown' }
  const job = await deps.jobs.find(found.job_id)
  if (!job || job.deleted_at || isFinal(job.status) || job.status === 'aborting') return { refusal: 'done' }
  if (claim.resume_attempt === undefined && caller.draining) return { refusal: 'draining' }
  const name = caller.enrolment?.name
  if (name !== undefined && deps.streams.countOf(name) >= MAX_TASKS_OF_AGENT) return { refusal: 'busy' }
  const task = await take(deps, claim, holder)
  if (!task) return { refusal: claim.resume_attempt === undefined ? 'busy' : 'stale' }
  const running = await started(deps, job)
  if (running?.status !== 'running') return { refusal: 'done' }
  await deps.engine.taskClaimed(job)
  const lease = { ...holder, task_id: task._id, attempt: task.attempt }
  return { lease, job: running, assignment: await assignmentOf(deps, task, running) }
}

function take(
  { leases }: RunTaskDeps,
  { task_id, resume_attempt: attempt, claim_id }: Claim,
  holder: Pick<Lease, 'agent_id' | 'stream'>,
): Promise<TaskDocument | undefined> {
  return attempt === undefined
    ? leases.claim(task_id, holder, claim_id)
    : leases.resume({ ...holder, task_id, attempt })
}

/** The job as it runs; the first claim of a task starts it. */
async function started({ jobs, engine }: RunTaskDeps, job: JobDocument): Promise<JobDocument | undefined> {
  if (job.status === 'running') return job
  await engine.start(job)
  return jobs.find(job._id)
}

async function converse(
  deps: RunTaskDeps,
  call: TaskCall,
  caller: Caller,
  messages: AsyncIterator<RunTaskRequest>,
  { lease, job, assignment }: Granted,
): Promise<void> {
  const stop = (reason: StopReason) => void canFail(deps.log, 'stopping an agent', stopAgent(call, caller, reason))
  const remove = deps.streams.add({ job_id: job._id, lease, enrolment: caller.enrolment, stop })
  let acknowledged = assignment.acknowledged_sequence
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      const { message } = next.value
      if (message?.$case === 'heartbeat' && !(await deps.leases.renew(lease))) return stop('lease_lost')
      if (message?.$case !== 'event') continue
      const ingested = await ingestOnce(deps, lease, job, message.value, acknowledged)
      if (ingested === 'lost') return stop('lease_lost')
      acknowledged = message.value.sequence > acknowledged ? message.value.sequence : acknowledged
      await send(call, { message: { $case: 'acknowledgement', value: { sequence: acknowledged } } })
      if (ingested === 'over') return
    }
  } catch (error) {
    if (error instanceof ContractViolation) await blame(deps, lease, error)
    throw error
  } finally {
    remove()
    await leave(deps, lease, job)
  }
}

/** Ingests an event unless it is durable already: an agent sends again what it saw no acknowledgement of. */
async function ingestOnce(deps: RunTaskDeps, lease: Lease, job: JobDocument, event: TaskEvent, acknowledged: bigint) {
  if (event.sequence <= acknowledged) return 'next'
  if (event.sequence !== acknowledged + 1n) throw new ContractViolation('an event whose predecessor is missing')
  return ingest(deps, lease, job, event)
}

/** Stops an agent. One that is to go elsewhere, or to go for good, has its stream ended as well. */
async function stopAgent(call: TaskCall, { protocol }: Caller, reason: StopReason): Promise<void> {
  // For an agent of version 1 every stop is the end of its task; a stream that ends makes it reconnect.
  const understood = reason !== 'draining' || protocol > 1
  if (understood) await send(call, { message: { $case: 'stop', value: { reason } } })
  if (reason === 'draining') endWith(call, { code: Status.UNAVAILABLE, details: 'the coordinator is stopping' })
  if (reason === 'revoked') endWith(call, { code: Status.UNAUTHENTICATED, details: 'the token was revoked' })
}

/** An agent that breaks the contract would do so again: its attempt ends here, so that the task has not for ever. */
async function blame({ leases, log }: RunTaskDeps, lease: Lease, { message }: ContractViolation): Promise<void> {
  const failure = { code: 'agent_crashed', message: `the agent sent ${message}` } as const
  await canFail(log, 'ending the attempt of an agent that broke the contract', leases.fail(lease, failure, {}))
}

/** A stream that ends while its task runs: the agent has stopped for an ended job, or is gone. */
async function leave(deps: RunTaskDeps, lease: Lease, job: JobDocument): Promise<void> {
  const stillRunning = await deps.leases.shorten(lease)
  const current = stillRunning ? await deps.jobs.find(job._id) : undefined
  if (current?.status !== 'aborting') return
  await deps.leases.cancel(lease)
  await deps.engine.reconcile(job._id)
}

/** The gRPC status that tells an agent what became of a call that threw. */
export function statusOf(error: unknown): { code: Status; details: string } {
  if (error instanceof ContractViolation) return { code: Status.INVALID_ARGUMENT, details: error.message }
  return { code: Status.UNAVAILABLE, details: 'the coordinator could not go on; reconnect' }
}
