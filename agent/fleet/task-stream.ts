import { once } from 'node:events'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import type { Assignment, Claim, RunTaskRequest, RunTaskResponse } from '@placefleet/proto/fleet'
import { HEARTBEAT_MS } from '@placefleet/shared/protocol'
import type { Outbox } from './outbox.ts'

/**
 * How long an event waits for more places and references. An event with one place costs the database as much as an
 * event with ten. A user waits for the first places of a task, so they wait only for the places of the same answer.
 */
const GATHER_MS = { first: 20, references: 500, places: 2_000 }

type TaskCall = ClientDuplexStream<RunTaskRequest, RunTaskResponse>

export type StreamEnd =
  | { kind: 'delivered' }
  | { kind: 'refused'; reason: string }
  | { kind: 'stopped'; reason: string }
  | { kind: 'broken'; error: unknown }

/**
 * Claims a task on a stream, again after a reconnect, keeps its lease, and sends the events of the outbox. Resolves
 * when everything is delivered, the coordinator stops the task, the stream breaks or the signal aborts. Never throws.
 */
export async function streamTask(
  open: () => TaskCall,
  claim: Claim,
  outbox: Outbox,
  onAssigned: (assignment: Assignment) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const call = open()
  const leave = () => call.cancel()
  signal.addEventListener('abort', leave, { once: true })
  const sender = createSender(call, outbox)
  const heartbeat = setInterval(() => sender.send({ $case: 'heartbeat', value: {} }), HEARTBEAT_MS)
  try {
    sender.send({ $case: 'claim', value: claim })
    return await listen(call, outbox, (assignment) => {
      onAssigned(assignment)
      outbox.rewind(assignment.acknowledged_sequence)
      outbox.onChange(sender.flushSoon)
      sender.flush()
    })
  } catch (error) {
    return { kind: 'broken', error }
  } finally {
    clearInterval(heartbeat)
    sender.stop()
    signal.removeEventListener('abort', leave)
    outbox.onChange(() => undefined)
    call.end()
    call.cancel()
  }
}

async function listen(call: TaskCall, outbox: Outbox, assigned: (assignment: Assignment) => void): Promise<StreamEnd> {
  for await (const { message } of call as AsyncIterable<RunTaskResponse>) {
    if (message?.$case === 'refusal') return { kind: 'refused', reason: message.value.reason }
    if (message?.$case === 'stop') return { kind: 'stopped', reason: message.value.reason }
    if (message?.$case === 'assignment') assigned(message.value)
    if (message?.$case === 'acknowledgement') outbox.acknowledge(message.value.sequence)
    if (outbox.delivered()) return { kind: 'delivered' }
  }
  return { kind: 'broken', error: new Error('the coordinator closed the stream') }
}

/** Writes to a stream one message at a time, no faster than the other side reads. */
function createSender(call: TaskCall, outbox: Outbox) {
  let writing = Promise.resolve()
  const write = async (message: NonNullable<RunTaskRequest['message']>) => {
    if (call.writableEnded || call.destroyed) return
    if (!call.write({ message })) await once(call, 'drain')
  }
  const send = (message: NonNullable<RunTaskRequest['message']>) => {
    // A failed write ends the stream, and `listen` reports it.
    writing = writing.then(() => write(message)).catch(() => undefined)
  }
  let gathering: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(gathering)
    gathering = undefined
  }
  const flush = () => {
    stop()
    for (let event = outbox.next(); event; event = outbox.next()) send({ $case: 'event', value: event })
  }
  const flushSoon = () => {
    const due = outbox.due()
    if (due === 'now') flush()
    else if (due) gathering ??= setTimeout(flush, GATHER_MS[due])
  }
  return { send, flush, flushSoon, stop }
}
