import { randomUUID } from 'node:crypto'
import { type Coordinator, connectCoordinator } from '@placefleet/agent/fleet/coordinator'
import type { Claim, RunTaskRequest, RunTaskResponse, TaskEvent } from '@placefleet/proto/fleet'
import { onTestFinished } from 'vitest'
import { AGENT_TOKEN } from '../coordinator/world.ts'

/** What an event says: what was found, or how the task ended. */
export type Said = NonNullable<TaskEvent['content'] | TaskEvent['end']>

export function eventOf(sequence: bigint, ...says: Said[]): TaskEvent {
  const event: TaskEvent = { sequence }
  for (const said of says) {
    if (said.$case === 'places' || said.$case === 'references') event.content = said
    else event.end = said
  }
  return event
}

/** One end of a task stream, driven message by message. */
export type TaskCall = {
  agent_id: string
  send(message: NonNullable<RunTaskRequest['message']>): void
  event(sequence: bigint, ...says: Said[]): void
  /** Returns the next message of the coordinator, or how the stream ended. */
  next(): Promise<RunTaskResponse['message'] | { $case: 'ended'; code: number | undefined }>
  end(): void
}

/** Opens a stream and claims a task on it. The caller may also behave like a hostile agent. */
export function claimTask(grpc: string, claim: Partial<Claim> & { task_id: string }, token = AGENT_TOKEN): TaskCall {
  const coordinator = connectCoordinator(grpc, token)
  onTestFinished(() => coordinator.close())
  return claimOn(coordinator, claim)
}

/** Does the same over a given connection. */
export function claimOn(
  coordinator: Pick<Coordinator, 'openTaskStream'>,
  claim: Partial<Claim> & { task_id: string },
): TaskCall {
  const call = coordinator.openTaskStream()
  const messages = call[Symbol.asyncIterator]()
  const agent_id = claim.agent_id ?? randomUUID()
  const send = (message: NonNullable<RunTaskRequest['message']>) => void call.write({ message })
  send({ $case: 'claim', value: { resume_attempt: undefined, ...claim, agent_id } })
  return {
    agent_id,
    send,
    event: (sequence, ...says) => send({ $case: 'event', value: eventOf(sequence, ...says) }),
    async next() {
      try {
        const { done, value } = await messages.next()
        return done ? { $case: 'ended', code: undefined } : (value as RunTaskResponse).message
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? Number(error.code) : undefined
        return { $case: 'ended', code }
      }
    },
    end: () => call.end(),
  }
}
