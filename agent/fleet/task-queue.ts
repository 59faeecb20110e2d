import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@placefleet/shared/log'
import { TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { abortable, backoffMs } from '@placefleet/shared/timing'
import type { Consumer, JsMsg, NatsConnection } from 'nats'
import { z } from 'zod'

/** How long one request for a message waits at the server. */
const WAIT_MS = 5_000

const TaskMessage = z.object({ task_id: z.uuid() })

/** A task to be claimed. Its message is acknowledged once the claim is answered: an acknowledgement never means "done". */
export type OfferedTask = {
  task_id: string
  answered(): void
  /** The claim was not even decided: another agent gets the task at once. */
  declined(): void
}

/** The doorbell's other end: gives tasks one by one to as many as ask. */
export type TaskQueue = {
  /** The next task; undefined once the signal aborted. Waits through any outage of the queue. */
  next(signal: AbortSignal): Promise<OfferedTask | undefined>
}

/** The queue of tasks on a NATS server. */
export function createTaskQueue(nats: NatsConnection, log: Logger): TaskQueue {
  const jetstream = nats.jetstream()
  let consumer: Promise<Consumer> | undefined

  const pull = async (): Promise<JsMsg | undefined> => {
    consumer ??= jetstream.consumers.get(TASK_STREAM, TASK_CONSUMER)
    return (await (await consumer).next({ expires: WAIT_MS })) ?? undefined
  }

  const pullUntil = async (signal: AbortSignal): Promise<JsMsg | undefined> => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const message = await unlessAborted(pull(), signal)
        failures = 0
        if (message) return message
      } catch (error) {
        consumer = undefined
        failures += 1
        if (failures === 3) log.warn({ err: error }, 'the queue gives no tasks; trying on')
        await sleep(backoffMs(failures, 200, 2_000), undefined, { signal }).catch(() => undefined)
      }
    }
    return undefined
  }

  return {
    async next(signal) {
      for (let message = await pullUntil(signal); message; message = await pullUntil(signal)) {
        const task = taskOf(message)
        if (task) return task
        log.warn('a queue message that names no task was dropped')
        message.term()
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

/** What the pull gives, or nothing once the signal aborted; a message that comes too late is put back at once. */
async function unlessAborted(pull: Promise<JsMsg | undefined>, signal: AbortSignal): Promise<JsMsg | undefined> {
  const message = await abortable(pull, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  if (!signal.aborted) return message ?? undefined
  pull.then((late) => late?.nak()).catch(() => undefined)
  return undefined
}
