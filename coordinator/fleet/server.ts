import { Server, ServerCredentials, type ServerDuplexStream, status as Status } from '@grpc/grpc-js'
import { FleetServiceService } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import { KEEPALIVE, MAX_MESSAGE_BYTES } from '@placefleet/shared/protocol'
import { type RegisterParts, register } from './register.ts'
import { type RunTaskParts, runTask, statusOf } from './run-task.ts'
import type { TokenCheck } from './token.ts'

/** Streams of one connection at once: more than an agent has slots. */
const MAX_STREAMS = 200

export type FleetServer = { port: number; close(): Promise<void> }

/**
 * Serves agents on host and port (0 lets the system choose).
 * @throws Error when the port cannot be had.
 */
export async function serveFleet(
  parts: RunTaskParts & RegisterParts & { mayCall: TokenCheck },
  address: { host: string; port: number },
): Promise<FleetServer> {
  const server = new Server({
    ...KEEPALIVE,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  })
  server.addService(FleetServiceService, {
    register: guarded(parts.log, parts.mayCall, (call: Parameters<typeof register>[1]) => register(parts, call)),
    runTask: guarded(parts.log, parts.mayCall, (call: Parameters<typeof runTask>[1]) => runTask(parts, call)),
  })
  const port = await new Promise<number>((resolve, reject) => {
    const { host, port: wanted } = address
    server.bindAsync(`${host}:${wanted}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    )
  })
  // tryShutdown waits for open streams, and these stay open as long as their agents live: they reconnect elsewhere.
  return { port, close: async () => server.forceShutdown() }
}

/** A handler that refuses strangers, and whose failure ends its call and never the process. */
function guarded<Request, Response>(
  log: Logger,
  mayCall: TokenCheck,
  handle: (call: ServerDuplexStream<Request, Response>) => Promise<void>,
) {
  return (call: ServerDuplexStream<Request, Response>): void => {
    call.on('error', (error) => log.debug({ err: error }, 'a call of an agent broke'))
    if (!mayCall(call.metadata)) {
      call.emit('error', {
        code: Status.UNAUTHENTICATED,
        details: 'the token is wrong; set AGENT_TOKEN as the coordinator has it',
      })
      return
    }
    handle(call).catch((error: unknown) => {
      if (call.cancelled) return
      log.warn({ err: error }, 'a call of an agent failed')
      call.emit('error', statusOf(error))
    })
  }
}
