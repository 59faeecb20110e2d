import { TASK_CONSUMER, TASK_STREAM } from '@placefleet/shared/nats'
import { ErrorCode, type NatsConnection, NatsError } from 'nats'

/**
 * The queue: messages that no agent has taken, and agent slots that wait for one. `missing`: no coordinator has created
 * the stream.
 */
export type QueueState = { messages: number; listening: number; missing?: true }

/** NATS counts as down when it takes longer to answer. */
export const NATS_WITHIN_MS = 3_000

/**
 * Reads the state of the queue over a connection.
 * @throws Error that says what to do when NATS runs without JetStream.
 */
export async function queueState(connection: NatsConnection): Promise<QueueState> {
  const manager = await connection.jetstreamManager({ timeout: NATS_WITHIN_MS }).catch(explainWithoutJetStream)
  const stream = await manager.streams.info(TASK_STREAM).catch(unlessMissing)
  const consumer = await manager.consumers.info(TASK_STREAM, TASK_CONSUMER).catch(unlessMissing)
  if (!stream) return { messages: 0, listening: 0, missing: true }
  return { messages: stream.state.messages, listening: consumer?.num_waiting ?? 0 }
}

function explainWithoutJetStream(cause: unknown): never {
  if (!(cause instanceof NatsError) || cause.code !== ErrorCode.JetStreamNotEnabled) throw cause
  throw new Error('answers, but without JetStream; add `jetstream {}` to its configuration', { cause })
}

// Stream and consumer may not exist yet: a coordinator creates them with the first task.
function unlessMissing(error: unknown): undefined {
  if (error instanceof NatsError && error.api_error?.code === 404) return undefined
  throw error
}
