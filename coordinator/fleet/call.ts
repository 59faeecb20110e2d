import { type ServerDuplexStream, status as Status } from '@grpc/grpc-js'
import { ContractViolation } from './contract.ts'
import type { Received } from './paced-reading.ts'

/** A call of an agent, as it is handled: what comes in is not decoded yet. */
export type AgentCall<Response> = ServerDuplexStream<Received, Response>

/** Agents speak every 5 or 10 s. Who says nothing for so long is gone, or never meant to speak. */
const SILENCE_MS = 30_000

/**
 * The messages of a call, one by one, until either side ends it: the next is not even read before the one given is dealt
 * with. (The iterator of streams would not do: it destroys a call that we end with a status before that is sent.)
 * @throws ContractViolation when one cannot be decoded.
 */
export async function* messagesOf<Message, Response>(
  call: AgentCall<Response>,
  decode: (bytes: Uint8Array) => Message,
): AsyncGenerator<Message, void> {
  const silent = { code: Status.DEADLINE_EXCEEDED, details: 'nothing was said for too long' }
  let changed = Promise.withResolvers<void>()
  for (const event of ['readable', 'end', 'close', 'error']) call.on(event, () => changed.resolve())
  while (!call.readableEnded && !isOver(call)) {
    changed = Promise.withResolvers()
    const received: Received | null = call.read()
    if (received) {
      yield decoded(received.bytes, decode)
      received.taken()
    } else if (!call.readableEnded && !isOver(call)) {
      const timer = setTimeout(() => endWith(call, silent), SILENCE_MS)
      await changed.promise
      clearTimeout(timer)
    }
  }
}

function decoded<Message>(bytes: Buffer, decode: (bytes: Uint8Array) => Message): Message {
  try {
    return decode(bytes)
  } catch (cause) {
    if (cause instanceof ContractViolation) throw cause
    throw new ContractViolation('a message that cannot be decoded', { cause })
  }
}

/** Sends a message, and waits while the agent does not read. One to a call that is over is dropped. */
export async function send<Response>(call: AgentCall<Response>, message: Response): Promise<void> {
  if (isOver(call) || call.write(message)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      call.off('drain', go).off('close', go)
      resolve()
    }
    call.on('drain', go).on('close', go)
  })
}

/** Ends a call with a status; one that is over stays as it is. */
export function endWith<Response>(call: AgentCall<Response>, status: { code: Status; details: string }): void {
  if (!isOver(call)) call.emit('error', status)
}

/** Whether a call takes no more messages from us. */
export const isOver = <Response>(call: AgentCall<Response>): boolean =>
  call.writableEnded || call.cancelled || call.destroyed
