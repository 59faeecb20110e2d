import { status as Status } from '@grpc/grpc-js'
import { type Failed, RunTaskRequest, type RunTaskResponse, type TaskEvent } from '@placefleet/proto/fleet'
import { canFail } from '@placefleet/shared/log'
import { FailureCode } from '@placefleet/shared/outcome'
import { recordSearches } from '../coverage/store.ts'
import { findJob } from '../jobs/store.ts'
import type { TaskFailure } from '../tasks/documents.ts'
import {
  type AgentCall,
  type Caller,
  ContractViolation,
  endWith,
  isOver,
  messagesOf,
  printable,
  REVOKED,
  send,
} from './call.ts'
import { type ClaimDeps, type Granted, grantClaim } from './claim.ts'
import { countsOf, doneIn, endOf, visitsOf } from './counts.ts'
import { type IngestDeps, ingest, type RunningTask } from './ingest.ts'
import type { StopReason } from './open-streams.ts'
import { recordOfCells } from './record-cells.ts'
import { type SnoozeDeps, snoozeTask } from './snooze.ts'
import { recordInputs } from './task-inputs.ts'

export type RunTaskDeps = IngestDeps & ClaimDeps & SnoozeDeps

export type TaskCall = AgentCall<RunTaskResponse>

/** The largest claim: several times its usual size. An agent without a task has no reason to send more. */
const MAX_CLAIM_BYTES = 1_024

/** A heartbeat this soon after the last confirmation of the lease changes nothing. */
const RECENT_MS = 2_000

/**
 * Serves one task stream until the task ends, its lease is lost or the stream breaks. Reads the next message only after
 * the last one is durable, so a slow database slows the agent down instead of filling memory.
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
  if (isOver(call) && claim.resume_attempt === undefined)
    return void (await deps.leases.handBack(granted.task.held.lease))
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
  const { lease, markUnsure } = task.held
  const stop = (reason: StopReason) => {
    markUnsure()
    void canFail(deps.log, 'stopping an agent', stopAgent(call, reason))
  }
  const remove = deps.streams.add({ job_id: task.job._id, lease, enrolment: caller.enrolment, stop, markUnsure })
  let acknowledged = assignment.acknowledged_sequence
  let isDone = false
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      const { message } = next.value
      if (message?.$case === 'heartbeat' && !(await task.held.renewIfOlderThan(RECENT_MS))) return stop('lease_lost')
      if (message?.$case !== 'event') continue
      const { sequence } = message.value
      const result = sequence > acknowledged ? await handleEvent(deps, task, message.value, acknowledged) : 'continue'
      isDone = result === 'task_ended'
      if (result === 'lease_lost' || result === 'job_ended') return stop(result)
      if (sequence > acknowledged) acknowledged = sequence
      await send(call, { message: { $case: 'acknowledgement', value: { sequence: acknowledged } } })
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

/** The result of an event: the stream continues, or why it ends. */
type EventResult = 'continue' | 'task_ended' | 'lease_lost' | 'job_ended'

async function handleEvent(
  deps: RunTaskDeps,
  task: RunningTask,
  { sequence, content, end, cells, inputs }: TaskEvent,
  acknowledged: bigint,
): Promise<EventResult> {
  if (sequence !== acknowledged + 1n) throw new ContractViolation('an event whose predecessor is missing')
  if (inputs) {
    if (!(await task.held.renewIfOlderThan(RECENT_MS))) return 'lease_lost'
    await recordInputs(deps, task, inputs)
  }
  if (content) {
    if (end && end.$case !== 'finished')
      throw new ContractViolation('places of a task that did not finish with its end')
    const ingested = await ingest(deps, task, { sequence: Number(sequence), content, cells, finished: end?.value })
    if (ingested !== 'stored') return ingested
    if (!end) return 'continue'
    noteEnd(deps, task, end)
    return 'task_ended'
  }
  if (!end) throw new ContractViolation('an event that says nothing')
  // What is searched next follows from the cells, so they change only while their task runs.
  if (cells) {
    if (!(await task.held.renewIfOlderThan(RECENT_MS))) return 'lease_lost'
    await recordSearches(deps.db, await recordOfCells(deps, task, cells.cells))
  }
  const isEnded = await endLease(deps, task, end)
  noteEnd(deps, task, end)
  return isEnded ? 'task_ended' : 'lease_lost'
}

/** The end of a task, as its agent reports it. */
type Ending = NonNullable<TaskEvent['end']>

/** Ends a task as its agent reports it. Returns false when the lease is lost. */
async function endLease(deps: RunTaskDeps, task: RunningTask, ending: Ending): Promise<boolean> {
  const { leases } = deps
  const { lease } = task.held
  if (ending.$case === 'handed_back') {
    await deps.agents.handedBack(lease.agent_id)
    return leases.handBack(lease)
  }
  if (ending.$case === 'finished') return leases.complete(lease, endOf(ending.value))
  const counted = countsOf(ending.value.outcomes)
  const visits = visitsOf(ending.value.website_visits)
  switch (ending.$case) {
    case 'failed':
      return leases.fail(lease, failureOf(ending.value), counted, visits)
    case 'snoozed':
      return snoozeTask(deps, task, ending.value, { counted, visits })
  }
}

/** Counts the work of an agent on a task that has ended, and advances its job. */
function noteEnd({ activity, engine }: RunTaskDeps, { held, job }: RunningTask, ending: Ending): void {
  if (ending.$case !== 'handed_back') {
    const refused = ending.$case === 'snoozed' ? 1 : 0
    activity.count(held.lease.agent_id, { ...doneIn(countsOf(ending.value.outcomes)), refused })
  }
  if (ending.$case === 'finished') engine.taskEnded(job._id)
  else engine.taskReturned(job._id)
}

/** Stops an agent. When the agent must leave this coordinator, its stream ends as well. */
async function stopAgent(call: TaskCall, reason: StopReason): Promise<void> {
  await send(call, { message: { $case: 'stop', value: { reason } } })
  if (reason === 'draining') endWith(call, { code: Status.UNAVAILABLE, details: 'the coordinator is stopping' })
  if (reason === 'revoked') endWith(call, REVOKED)
}

/**
 * Fails the attempt of an agent that broke the contract. Otherwise the agent would repeat it, and the task would never
 * end.
 */
async function failAttempt({ leases, log }: RunTaskDeps, { held }: RunningTask, { message }: ContractViolation) {
  const failure = { code: 'agent_crashed', message: `the agent sent ${message}` } as const
  await canFail(log, 'failing the attempt of an agent that broke the contract', leases.fail(held.lease, failure, {}))
}

/** Handles a stream that ended before its task: the agent stopped because the job ended, or it died. */
async function streamEnded(deps: RunTaskDeps, { held, job }: RunningTask): Promise<void> {
  const { lease } = held
  const stillRunning = await deps.leases.shorten(lease)
  const current = stillRunning ? await findJob(deps.db, job._id) : undefined
  if (current?.status !== 'aborting') return
  await deps.leases.cancel(lease)
  await deps.engine.reconcile(job._id)
}

const MAX_DETAIL = 300

/** The login in a URL, and the value of an Authorization header. */
const LOGIN = /(?<=:\/\/)[^\s/]*@|(?<=\b(?:Basic|Bearer) )\S+/gi

/**
 * Returns the failure that an agent reported. Agents are not trusted: its texts are bounded, and the detail has no
 * login.
 */
export function failureOf({ code, message, detail = '' }: Failed): TaskFailure {
  const text = printable(detail).replaceAll(LOGIN, '').slice(0, MAX_DETAIL).trim()
  return {
    code: FailureCode.safeParse(code).data ?? 'source_unavailable',
    message: printable(message),
    ...(text !== '' && { detail: text }),
  }
}
