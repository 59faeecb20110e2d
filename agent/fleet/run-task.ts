import { randomUUID } from 'node:crypto'
import { status as Status } from '@grpc/grpc-js'
import type { Assignment, TaskEvent } from '@placefleet/proto/fleet'
import { Bounds } from '@placefleet/shared/coverage'
import type { Logger } from '@placefleet/shared/log'
import { noOutcomes } from '@placefleet/shared/outcome'
import { LEFT_TO_OTHERS, TaskParameters, TaskReference } from '@placefleet/shared/protocol'
import { backoffMs, delay, monotonicNow } from '@placefleet/shared/timing'
import { traced } from '@placefleet/shared/tracing'
import { z } from 'zod'
import type { CollectionEnd, Collector } from '../collect/collector.ts'
import { detailOf } from '../collect/failure-detail.ts'
import type { Sink, Task } from '../collect/task.ts'
import type { Timings } from '../timings.ts'
import type { Coordinator } from './coordinator.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { type StreamEnd, streamTask } from './task-stream.ts'

/** After this long without a coordinator the agent does not deliver what it has any more. */
const GIVE_UP_MS = 60_000

const UNCLAIMED = 'could not claim a task; other agents get it'
const ABANDONED = 'could not reach a coordinator; abandoned the task'

/** Errors that every coordinator would return. */
const FINAL: readonly unknown[] = [Status.UNAUTHENTICATED, Status.FAILED_PRECONDITION, Status.INVALID_ARGUMENT]

/** The delay before the move to another coordinator: the draining one needs a moment to close its connection. */
const MOVE_MS = 50

/** How long a task may finish when the agent stops, and how long it may then deliver its last events. */
const FINISH_WITHIN_MS = 6_000
const DELIVER_WITHIN_MS = 2_500

export type TaskRunner = {
  log: Logger
  coordinator: Coordinator
  collector: Collector
  agent_id: string
  timings: Timings
  /** Aborts when the agent stops. */
  draining: AbortSignal
}

/**
 * Runs one task from its claim to its end: collects, streams places and references to the coordinator, and reconnects
 * broken streams. Resolves when everything is delivered or handed back, or when the attempt has lost its lease.
 * @param onAnswered called once the claim is granted or refused.
 */
export async function runTask(runner: TaskRunner, task_id: string, onAnswered: () => void): Promise<void> {
  const stopping = new AbortController()
  const leaving = new AbortController()
  const outbox = createOutbox(stopping.signal)
  const cancelDrain = whenDraining(runner.draining, stopping, leaving)
  let collecting: { attempt: number; done: Promise<void> } | undefined
  const onAssigned = (assignment: Assignment) => {
    onAnswered()
    collecting ??= { attempt: assignment.attempt, done: collect(runner, assignment, outbox, stopping.signal) }
    return collecting.attempt
  }
  try {
    await streamUntilEnd(runner, task_id, outbox, { onAssigned, onAnswered, stopping, leaving })
  } finally {
    cancelDrain()
    stopping.abort(new Error('the task has ended'))
    await collecting?.done
  }
}

type Turns = {
  onAssigned(assignment: Assignment): number
  onAnswered(): void
  stopping: AbortController
  leaving: AbortController
}

/** Opens one stream after the other until the task ends for this agent. */
async function streamUntilEnd(
  { log, coordinator, agent_id, timings }: TaskRunner,
  task_id: string,
  outbox: Outbox,
  { onAssigned, onAnswered, stopping, leaving }: Turns,
): Promise<void> {
  const claim_id = randomUUID()
  let resume_attempt: number | undefined
  let unanswered = [setTimeout(() => leaving.abort(), timings.claimWithinMs)]
  const clear = () => {
    for (const timer of unanswered.splice(0)) clearTimeout(timer)
  }
  const assigned = (assignment: Assignment) => {
    clear()
    resume_attempt = onAssigned(assignment)
  }
  try {
    for (let failures = 1; !leaving.signal.aborted; failures++) {
      const claim = { task_id, agent_id, resume_attempt, claim_id }
      const end = await streamTask(() => coordinator.openTaskStream(), claim, outbox, assigned, leaving.signal)
      if (end.kind === 'refused' && !LEFT_TO_OTHERS.includes(end.reason)) onAnswered()
      const why = { task_id, ...('error' in end ? { err: end.error } : end) }
      if (isOver(end)) return log[end.kind === 'broken' ? 'warn' : 'debug'](why, 'task stream ended')
      log.info(why, 'the task stream broke; reconnecting')
      if (unanswered.length === 0) {
        const stop = () => stopping.abort(new Error('the lease of the task has ended'))
        unanswered = [setTimeout(stop, timings.stopWithinMs), setTimeout(() => leaving.abort(), GIVE_UP_MS)]
      }
      if (end.kind === 'stopped') failures = 0
      const waitMs = end.kind === 'stopped' ? MOVE_MS : backoffMs(failures, 200, 2_000)
      await delay(waitMs, leaving.signal)
    }
    log.warn({ task_id }, resume_attempt === undefined ? UNCLAIMED : ABANDONED)
  } finally {
    clear()
  }
}

/** Returns whether this end of a stream ends the task for this agent. Otherwise the agent opens another stream. */
function isOver(end: StreamEnd): boolean {
  if (end.kind === 'stopped') return end.reason !== 'draining'
  if (end.kind !== 'broken') return true
  return end.error instanceof Error && 'code' in end.error && FINAL.includes(end.error.code)
}

async function collect(runner: TaskRunner, assignment: Assignment, outbox: Outbox, signal: AbortSignal): Promise<void> {
  const { task_id } = assignment
  const sink: Sink = {
    place: (place, visits) => outbox.add({ place, visits }),
    references: (references) => outbox.add({ references }),
    cells: outbox.addCells,
    input: outbox.addInput,
  }
  try {
    const work = () => runner.collector.collect(decodeAssignment(assignment), sink, signal)
    const { job_id, attempt, traceparent: parent } = assignment
    outbox.finish(eventOf(await traced('task', { parent, attributes: { task_id, job_id, attempt } }, work)))
  } catch (error) {
    if (signal.aborted) return outbox.finish({ $case: 'handed_back', value: {} })
    runner.log.error({ err: error, task_id }, 'a task failed unexpectedly')
    const message = 'the agent failed unexpectedly; see its log'
    const value = { code: 'agent_crashed', message, detail: detailOf(error), outcomes: noOutcomes() }
    outbox.finish({ $case: 'failed', value: { ...value, website_visits: undefined } })
  }
}

function eventOf(end: CollectionEnd): NonNullable<TaskEvent['end']> {
  if (end.kind === 'finished') return { $case: 'finished', value: end }
  if (end.kind === 'failed') return { $case: 'failed', value: end }
  const seconds = Math.max(1, Math.ceil((end.until - monotonicNow()) / 1_000))
  return { $case: 'snoozed', value: { ...end, seconds } }
}

/** When the agent drains, stops collecting after a while, and closes the stream some time later. */
function whenDraining(draining: AbortSignal, stopping: AbortController, leaving: AbortController): () => void {
  const timers: NodeJS.Timeout[] = []
  const begin = () => {
    timers.push(setTimeout(() => stopping.abort(new Error('the agent is stopping')), FINISH_WITHIN_MS))
    timers.push(setTimeout(() => leaving.abort(), FINISH_WITHIN_MS + DELIVER_WITHIN_MS))
  }
  if (draining.aborted) begin()
  else draining.addEventListener('abort', begin, { once: true })
  return () => {
    for (const timer of timers) clearTimeout(timer)
    draining.removeEventListener('abort', begin)
  }
}

/** @throws Error for an unknown kind of task, SyntaxError or z.ZodError for invalid parameters. */
function decodeAssignment(assignment: Assignment): Task {
  return {
    task_id: assignment.task_id,
    job_id: assignment.job_id,
    work: decodeWork(assignment),
    parameters: TaskParameters.parse(JSON.parse(assignment.parameters)),
    proxies: assignment.proxies,
    stored_place_keys: assignment.stored_place_keys,
    places_wanted: assignment.places_wanted,
  }
}

function decodeWork({ work }: Assignment): Task['work'] {
  switch (work?.$case) {
    case 'discover':
      return {
        kind: 'discover',
        keyword: work.value.keyword,
        ...(work.value.audit && { audit: z.array(Bounds).parse(work.value.audit.cells) }),
        ...(work.value.cells.length > 0 && { cells: z.array(Bounds).parse(work.value.cells) }),
      }
    case 'collect':
      return { kind: 'collect', references: z.array(TaskReference).parse(work.value.references) }
    default:
      throw new Error('the assignment has an unknown kind of task; update the agent')
  }
}
