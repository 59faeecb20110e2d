import { setTimeout as sleep } from 'node:timers/promises'
import { canFail, type Logger } from '@placefleet/shared/log'
import { natsServers, natsUnusable, TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { abortable, backoffMs, delay } from '@placefleet/shared/timing'
import {
  type ConnectionOptions,
  type Consumer,
  connect,
  Events,
  type JsMsg,
  type NatsConnection,
  NatsError,
} from 'nats'
import { z } from 'zod'
import type { Timings } from '../timings.ts'
import { createOutage, type Outage } from './outage.ts'

/** How long one request for a message waits at the server. */
const WAIT_MS = 5_000

const TaskMessage = z.object({ task_id: z.uuid() })

/** A task to claim. Its message is acknowledged once the claim is answered, not when the task is done. */
export type OfferedTask = {
  task_id: string
  answered(): void
  /** No coordinator answered the claim. The queue offers the task to another agent at once. */
  declined(): void
}

/** The queue of tasks, as an agent sees it. */
export type TaskQueue = {
  /** Waits for the next task, through any outage of the queue. Undefined once the signal has aborted. */
  next(signal: AbortSignal): Promise<OfferedTask | undefined>
}

/** Creates the queue of tasks on a NATS server. */
export function createTaskQueue(nats: NatsConnection, log: Logger): TaskQueue {
  const jetstream = nats.jetstream()
  let consumer: Promise<Consumer> | undefined

  const pull = async (): Promise<JsMsg | undefined> => {
    consumer ??= jetstream.consumers.get(TASK_STREAM, TASK_CONSUMER)
    return (await (await consumer).next({ expires: WAIT_MS })) ?? undefined
  }

  return {
    async next(signal) {
      for (let failures = 0; !signal.aborted; ) {
        try {
          const message = await unlessAborted(pull(), signal)
          failures = 0
          const task = message && taskOf(message)
          if (task) return task
          if (message) log.warn('dropped a malformed queue message')
          message?.term()
        } catch (error) {
          consumer = undefined
          failures += 1
          if (failures === 3) log.warn({ err: error }, 'the queue does not answer; retrying')
          await delay(backoffMs(failures, 200, 2_000), signal)
        }
      }
      return undefined
    },
  }
}

function taskOf(message: JsMsg): OfferedTask | undefined {
  try {
    const { task_id } = TaskMessage.parse(message.json())
    return { task_id, answered: () => message.ack(), declined: () => message.nak() }
  } catch {
    return undefined
  }
}

/** Waits for a message until the signal aborts. A message that comes later goes back to the queue at once. */
async function unlessAborted(pull: Promise<JsMsg | undefined>, signal: AbortSignal): Promise<JsMsg | undefined> {
  const message = await abortable(pull, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!signal.aborted) return message ?? undefined
  pull.then((late) => late?.nak()).catch(() => undefined)
  return undefined
}

type QueueAddress = { url: string; ca?: string | undefined; name: string; inboxPrefix: string }

/** Waits for a server that does not answer. @throws NatsError when the server rejects the credentials. */
export async function connectQueue(
  { url, ca, ...names }: QueueAddress,
  log: Logger,
  { connectWithinMs, lastingOutageMs: lastingMs }: Timings,
): Promise<NatsConnection> {
  const servers = natsServers(url, ca)
  const outage = createOutage({ log, what: `the NATS at ${servers.servers.join(',')}`, lastingMs })
  const options: ConnectionOptions = {
    ...servers,
    ...names,
    timeout: connectWithinMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 500,
    ignoreAuthErrorAbort: true, // an agent that was accepted once keeps trying
  }
  const nats = await connectAtLast(options, outage)
  void canFail(log, 'following the connection to NATS', follow(nats, outage))
  void nats.closed().then(outage.over)
  return nats
}

/** Retries until the server answers. The client's own `waitOnFirstConnect` does not report why it waits. */
async function connectAtLast(options: ConnectionOptions, outage: Outage): Promise<NatsConnection> {
  for (let failures = 1; ; failures++) {
    outage.begun()
    try {
      const nats = await connect(options)
      outage.over()
      return nats
    } catch (error) {
      const refused = error instanceof NatsError && error.isAuthError()
      if (refused) outage.over()
      if (refused) throw natsUnusable(error)
      outage.begun(natsUnusable(error))
      await sleep(backoffMs(failures, 250, 1_000))
    }
  }
}

async function follow(nats: NatsConnection, outage: Outage): Promise<void> {
  for await (const { type } of nats.status()) {
    if (type === Events.Disconnect) outage.begun()
    if (type === Events.Reconnect) outage.over()
  }
}
