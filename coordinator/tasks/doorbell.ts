import type { Logger } from '@placefleet/shared/log'
import { TASK_CONSUMER, TASK_STREAM, TASK_SUBJECT } from '@placefleet/shared/nats'
import { AckPolicy, DiscardPolicy, type NatsConnection, nanos, RetentionPolicy } from 'nats'

/** How long an agent may take from being handed a message to having its claim answered. */
const CLAIM_WAIT_MS = 10_000

/** Rings for tasks. A ring that is lost costs time and never a task: the sweeper rings again. */
export type Doorbell = {
  /** Tells the fleet that a task is to be had. Never throws: a queue that is down is logged. */
  ring(task_id: string, released: number): Promise<void>
  /** Whether nothing is waiting in the queue, so that a task that is still not claimed must be rung for again. */
  silent(): Promise<boolean>
}

/** The doorbell on a NATS server, whose stream and consumer are made as often as they are found missing. */
export async function createDoorbell(nats: NatsConnection, log: Logger): Promise<Doorbell> {
  const manager = await nats.jetstreamManager({ checkAPI: false })
  const jetstream = nats.jetstream()
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

  return {
    async ring(task_id, released) {
      try {
        await prepare()
        await jetstream.publish(TASK_SUBJECT, JSON.stringify({ task_id }), { msgID: `${task_id}:${released}` })
      } catch (error) {
        prepared = undefined
        log.warn({ err: error, task_id }, 'the queue took no message; the sweeper will ring again')
      }
    },
    async silent() {
      try {
        await prepare()
        return (await manager.streams.info(TASK_STREAM)).state.messages === 0
      } catch (error) {
        prepared = undefined
        log.warn({ err: error }, 'the queue does not answer')
        return false
      }
    },
  }
}
