import { once } from 'node:events'
import { type ServerDuplexStream, status as Status } from '@grpc/grpc-js'
import type { Assignment, Claim, RunTaskRequest, RunTaskResponse, TaskEvent } from '@placefleet/proto/fleet'
import { isFinal } from '@placefleet/shared/job-status'
import { canFail } from '@placefleet/shared/log'
import type { JobDocument } from '../jobs/documents.ts'
import type { TaskDocument } from '../tasks/documents.ts'
import type { Lease } from '../tasks/lease.ts'
import type { TaskStore } from '../tasks/store.ts'
import { type AssignmentParts, assignmentOf } from './assignment.ts'
import { ContractViolation, type IngestParts, ingest } from './ingest.ts'
import type { OpenStreams, StopReason } from './open-streams.ts'

export type RunTaskParts = IngestParts & AssignmentParts & { tasks: TaskStore; streams: OpenStreams }

export type TaskCall = ServerDuplexStream<RunTaskRequest, RunTaskResponse>

type Granted = { lease: Lease; job: JobDocument; assignment: Assignment }

/**
 * Talks with an agent about one task until the task is over, its lease lost or the stream broken. Messages are read
 * one by one as they are made durable, so a slow database slows the agent and not the memory.
 */
export async function runTask(parts: RunTaskParts, call: TaskCall): Promise<void> {
  const messages = call[Symbol.asyncIterator]()
  const first: IteratorResult<RunTaskRequest> = await messages.next()
  if (first.done) return void call.end()
  if (first.value.message?.$case !== 'claim') throw new ContractViolation('a stream that does not begin with a claim')
  const granted = await grant(parts, first.value.message.value)
  if ('refusal' in granted) {
    await send(call, { $case: 'refusal', value: { reason: granted.refusal } })
    return void call.end()
  }
  await send(call, { $case: 'assignment', value: granted.assignment })
  await converse(parts, call, messages, granted)
  call.end()
}

async function grant(parts: RunTaskParts, claim: Claim): Promise<Granted | { refusal: string }> {
  const found = await parts.tasks.find(claim.task_id)
  if (!found) return { refusal: 'unknown' }
  const job = await parts.jobs.find(found.job_id)
  if (!job || isFinal(job.status) || job.status === 'aborting') return { refusal: 'done' }
  const task = await take(parts, claim)
  if (!task) return { refusal: claim.resume_attempt === undefined ? 'busy' : 'stale' }
  const running = await started(parts, job)
  if (running?.status !== 'running') return { refusal: 'done' }
  await parts.engine.advance(job._id)
  const lease = { task_id: task._id, agent_id: claim.agent_id, attempt: task.attempt }
  return { lease, job: running, assignment: await assignmentOf(parts, task, running) }
}

function take({ leases }: RunTaskParts, claim: Claim): Promise<TaskDocument | undefined> {
  const { task_id, agent_id, resume_attempt: attempt } = claim
  return attempt === undefined ? leases.claim(task_id, agent_id) : leases.resume({ task_id, agent_id, attempt })
}

/** The job as it runs; the first claim of a task starts it. */
async function started({ jobs, engine }: RunTaskParts, job: JobDocument): Promise<JobDocument | undefined> {
  if (job.status === 'running') return job
  await engine.start(job)
  return jobs.find(job._id)
}

async function converse(
  parts: RunTaskParts,
  call: TaskCall,
  messages: AsyncIterator<RunTaskRequest>,
  { lease, job, assignment }: Granted,
): Promise<void> {
  const stop = (reason: StopReason) =>
    void canFail(parts.log, 'stopping an agent', send(call, { $case: 'stop', value: { reason } }))
  const remove = parts.streams.add(job._id, stop)
  let acknowledged = assignment.acknowledged_sequence
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      const { message } = next.value
      if (message?.$case === 'heartbeat' && !(await parts.leases.renew(lease))) stop('lease_lost')
      if (message?.$case !== 'event') continue
      const ingested = await ingestOnce(parts, lease, job, message.value, acknowledged)
      if (ingested === 'lost') return stop('lease_lost')
      acknowledged = message.value.sequence > acknowledged ? message.value.sequence : acknowledged
      await send(call, { $case: 'acknowledgement', value: { sequence: acknowledged } })
      if (ingested === 'over') return
    }
  } finally {
    remove()
    await leave(parts, lease, job)
  }
}

/** Ingests an event unless it is durable already: an agent sends again what it saw no acknowledgement of. */
async function ingestOnce(parts: RunTaskParts, lease: Lease, job: JobDocument, event: TaskEvent, acknowledged: bigint) {
  if (event.sequence <= acknowledged) return 'next'
  if (event.sequence !== acknowledged + 1n) throw new ContractViolation('an event whose predecessor is missing')
  return ingest(parts, lease, job, event)
}

/** A stream that ends while its task runs: the agent has stopped for an ended job, or is gone. */
async function leave(parts: RunTaskParts, lease: Lease, job: JobDocument): Promise<void> {
  const stillRunning = await parts.leases.shorten(lease)
  const current = stillRunning ? await parts.jobs.find(job._id) : undefined
  if (current?.status !== 'aborting') return
  await parts.leases.cancel(lease)
  await parts.engine.advance(job._id)
}

async function send(call: TaskCall, message: NonNullable<RunTaskResponse['message']>): Promise<void> {
  if (call.writableEnded || call.cancelled || call.destroyed) return
  if (!call.write({ message })) await once(call, 'drain')
}

/** The gRPC status that tells an agent what became of a call that threw. */
export function statusOf(error: unknown): { code: Status; details: string } {
  if (error instanceof ContractViolation) return { code: Status.INVALID_ARGUMENT, details: error.message }
  return { code: Status.UNAVAILABLE, details: 'the coordinator could not go on; reconnect' }
}
