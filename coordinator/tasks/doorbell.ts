import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@placefleet/shared/log'
import { TASK_CONSUMER, TASK_STREAM, TASK_SUBJECT } from '@placefleet/shared/nats'
import { AckPolicy, DiscardPolicy, type NatsConnection, nanos, RetentionPolicy } from 'nats'

/** How long an agent may take from being handed a message to having its claim answered. */
const CLAIM_WAIT_MS = 10_000

/** The queue answers within milliseconds or not at all: what a client sends while it loses its server is never sent again. */
const ANSWER_WITHIN_MS = 1_500

/** Pauses after which a ring that was not taken is rung again: a restart of the queue is over by then, or left to the sweeper. */
const AGAIN_AFTER_MS: readonly number[] = [250, 1_000, 3_000]

/** Rings for tasks. A ring that is lost costs time and never a task: the sweeper rings again. */
export type Doorbell = {
  /**
   * Tells the fleet that a task is to be had. Never throws: a queue that is down is logged, and rung again a few times
   * while the caller goes on.
   */
  ring(task_id: string, released: number): Promise<void>
  /** How many messages are in the queue, handed out and not answered ones too. Undefined: it does not answer. */
  waiting(): Promise<number | undefined>
}

/** The doorbell on a NATS server, whose stream and consumer are made as often as they are found missing. */
export async function createDoorbell(nats: NatsConnection, log: Logger): Promise<Doorbell> {
  const manager = await nats.jetstreamManager({ checkAPI: false, timeout: ANSWER_WITHIN_MS })
  const jetstream = nats.jetstream({ timeout: ANSWER_WITHIN_MS })
  let prepared: Promise<void> | undefined

  const prepare = () => {
    prepared ??= ensureStream()
    prepared.catch(() => {
      prepared = undefined
    })
    return prepared
  }
  const ensureStream = async () => {
    const subjects = [TASK_SUBJECT]
    const limits = { retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.New }
    await manager.streams.add({ name: TASK_STREAM, subjects, ...limits, duplicate_window: nanos(120_000) })
    const consumer = { ack_policy: AckPolicy.Explicit, ack_wait: nanos(CLAIM_WAIT_MS), max_deliver: -1 }
    await manager.consumers.add(TASK_STREAM, { durable_name: TASK_CONSUMER, ...consumer })
  }

  const ring = async (task_id: string, released: number, pauses = AGAIN_AFTER_MS): Promise<void> => {
    try {
      await prepare()
      await jetstream.publish(TASK_SUBJECT, JSON.stringify({ task_id }), { msgID: `${task_id}:${released}` })
    } catch (error) {
      prepared = undefined
      const [pause, ...later] = pauses
      const giveUp = pause === undefined || nats.isClosed()
      log.warn({ err: error, task_id }, `the queue took no message; ${giveUp ? 'the sweeper' : 'we'} will ring again`)
      if (!giveUp) void sleep(pause).then(() => ring(task_id, released, later))
    }
  }

  return {
    ring: (task_id, released) => ring(task_id, released),
    async waiting() {
      try {
        await prepare()
        return (await manager.streams.info(TASK_STREAM)).state.messages
      } catch (error) {
        prepared = undefined
        log.warn({ err: error }, 'the queue does not answer')
        return undefined
      }
    },
  }
}
