import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@placefleet/shared/log'
import { TASK_CONSUMER, TASK_STREAM, TASK_SUBJECTS, taskSubject } from '@placefleet/shared/nats'
import {
  AckPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
} from 'nats'
import type { TaskDocument } from './documents.ts'

/** How long an agent may take from receiving a message to the answer to its claim. */
const CLAIM_WAIT_MS = 10_000

/** A healthy queue answers within milliseconds. The client never resends a request that it sent while disconnected. */
const ANSWER_WITHIN_MS = 1_500

/** How many agent slots may wait for a task at the same time. Each sends one pull request. */
const MAX_WAITING = 20_000

/**
 * Messages in the queue, and how long one may wait: about a kilobyte each on disk. The sweeper notifies again of a task
 * that is still released, and so the messages of tasks that ended meanwhile disappear.
 */
const MAX_MESSAGES = 100_000
const MAX_AGE_MS = 600_000

/**
 * Delays before a failed publish is retried. A restarted queue is back by then; after the last, the sweeper retries.
 */
const RETRY_AFTER_MS: readonly number[] = [250, 1_000, 3_000]

/** Notifies the fleet of tasks that are ready. A lost message only delays a task: the sweeper notifies again. */
export type TaskNotifier = {
  /**
   * Publishes a released task, unless its message still waits. Never throws: logs a failure and retries a few times in
   * the background.
   */
  notify(task: Pick<TaskDocument, '_id' | 'demo'>): Promise<void>
  /** Messages in the queue, including unacknowledged ones. Undefined when the queue does not answer. */
  waiting(): Promise<number | undefined>
  /** Whether the queue answered the last call. */
  answers(): boolean
}

type NotifierOptions = {
  readonly replicas?: number
  readonly offerDemo?: ((task_id: string) => void) | undefined
}

/**
 * Creates a notifier on NATS. It creates the stream and the consumer whenever they are missing.
 * @param options.replicas the number of NATS servers that store the stream.
 * @param options.offerDemo runs the tasks of demo jobs, which agents never get.
 */
export async function createTaskNotifier(
  nats: NatsConnection,
  log: Logger,
  { replicas = 1, offerDemo = () => undefined }: NotifierOptions = {},
): Promise<TaskNotifier> {
  const queue = await openTaskQueue(nats, replicas)

  const publish = async (task_id: string, pauses: readonly number[]): Promise<void> => {
    const message = JSON.stringify({ task_id })
    try {
      await queue.ask(({ jetstream }) => jetstream.publish(taskSubject(task_id), message).catch(unlessThere))
    } catch (error) {
      const [pause, ...later] = pauses
      const retries = pause !== undefined && !nats.isClosed()
      const next = retries ? 'retrying' : 'the sweeper will notify again'
      log.warn({ err: error, task_id }, `the queue did not take a message; ${next}`)
      if (retries) void sleep(pause).then(() => publish(task_id, later))
    }
  }

  return {
    answers: queue.answers,
    async notify({ _id, demo }) {
      if (demo) offerDemo(_id)
      else await publish(_id, RETRY_AFTER_MS)
    },
    async waiting() {
      try {
        return (await queue.ask(({ manager }) => manager.streams.info(TASK_STREAM))).state.messages
      } catch (error) {
        log.warn({ err: error }, 'the queue does not answer')
        return undefined
      }
    },
  }
}

type JetStream = { manager: JetStreamManager; jetstream: JetStreamClient }

/** Creates the queue of a NATS server. Each request first creates the stream and the consumer if they are missing. */
async function openTaskQueue(nats: NatsConnection, replicas: number) {
  const manager = await nats.jetstreamManager({ checkAPI: false, timeout: ANSWER_WITHIN_MS })
  const jetstream = nats.jetstream({ timeout: ANSWER_WITHIN_MS })
  let prepared: Promise<void> | undefined
  let answers = true
  const prepare = () => {
    prepared ??= ensureStream(manager, replicas)
    prepared.catch(() => {
      prepared = undefined
    })
    return prepared
  }
  return {
    /** Whether the queue answered the last question. */
    answers: () => answers,
    /** @throws the error of NATS, or that it does not answer. */
    async ask<Answer>(question: (stream: JetStream) => Promise<Answer>): Promise<Answer> {
      try {
        await prepare()
        const answer = await question({ manager, jetstream })
        answers = true
        return answer
      } catch (error) {
        prepared = undefined
        answers = false
        throw error
      }
    },
  }
}

/** Makes the stream and the consumer of tasks when they are missing. */
async function ensureStream(manager: JetStreamManager, replicas: number): Promise<void> {
  const stream = {
    subjects: [TASK_SUBJECTS],
    retention: RetentionPolicy.Workqueue,
    num_replicas: replicas,
    discard: DiscardPolicy.New,
    max_msgs_per_subject: 1,
    discard_new_per_subject: true,
    max_msgs: MAX_MESSAGES,
    max_age: nanos(MAX_AGE_MS),
  }
  // The update covers a stream that was created with another number of replicas. Without a stream to update, the reason
  // why none was created counts.
  await manager.streams.add({ name: TASK_STREAM, ...stream }).catch((error) => {
    if (!isAnswer(error)) throw error
    const updated = manager.streams.update(TASK_STREAM, stream)
    return updated.catch((failure) => Promise.reject(isMissing(failure) ? error : failure))
  })
  await manager.consumers.add(TASK_STREAM, {
    durable_name: TASK_CONSUMER,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(CLAIM_WAIT_MS),
    max_deliver: -1,
    max_waiting: MAX_WAITING,
  })
}

/** A refused message is no failure when the one before it still waits. The text tells it from a full stream. */
function unlessThere(error: unknown): void {
  if (!(error instanceof NatsError) || error.api_error?.description !== 'maximum messages per subject exceeded')
    throw error
}

const isMissing = (error: unknown): boolean => error instanceof NatsError && error.api_error?.code === 404

/** Returns whether JetStream answered, even if with an error. */
const isAnswer = (error: unknown): boolean => error instanceof NatsError && error.isJetStreamError()
