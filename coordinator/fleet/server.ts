import { once } from 'node:events'
import { createServer, type Server as TcpServer } from 'node:net'
import { Server, type ServerCredentials } from '@grpc/grpc-js'
import { FleetServiceService } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import { KEEPALIVE, MAX_MESSAGE_BYTES } from '@placefleet/shared/protocol'
import type { AgentAuthentication, Caller } from './authenticate.ts'
import { type AgentCall, endWith, isOver } from './call.ts'
import { pacedReading, TASK_PACE } from './paced-reading.ts'
import { type RegisterDeps, register } from './register.ts'
import { type RunTaskDeps, runTask, statusOf } from './run-task.ts'

/** Streams of one connection at once: more than an agent has slots. */
const MAX_STREAMS = 200

/** Agents on one coordinator; a flood of connections stops here. A silent one is closed by its keepalive. */
const MAX_CONNECTIONS = 5_000

/** The gRPC end of a coordinator. */
export type FleetServer = {
  port: number
  /** Takes no new agents and sends those that are here to another coordinator. */
  drain(): void
  close(): Promise<void>
}

export type ListenOptions = { host: string; port: number; credentials: ServerCredentials }

/**
 * Serves agents on host and port (0 lets the system choose).
 * @throws Error when the port cannot be had.
 */
export async function serveFleet(
  deps: RunTaskDeps & RegisterDeps & { admit: AgentAuthentication },
  { host, port, credentials }: ListenOptions,
): Promise<FleetServer> {
  const server = new Server({
    ...KEEPALIVE,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    interceptors: [pacedReading(TASK_PACE)],
  })
  server.addService(UNDECODED, {
    register: guarded(deps, (call: Parameters<typeof register>[1], caller) => register(deps, call, caller)),
    runTask: guarded(deps, (call: Parameters<typeof runTask>[1], caller) => runTask(deps, call, caller)),
  })
  const injector = server.createConnectionInjector(credentials)
  const listener = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => deps.log.debug({ err: error }, 'a connection of an agent broke'))
    injector.injectConnection(socket)
  })
  listener.maxConnections = MAX_CONNECTIONS
  const drain = () => {
    if (listener.listening) listener.close()
    injector.drain(DRAIN_MS) // says GOAWAY: from now on agents open their streams on another connection
    deps.streams.stopAll('draining')
  }
  const close = async () => {
    drain()
    server.forceShutdown() // tryShutdown waits for open streams, and a frozen agent never ends its own
  }
  return { port: await listen(listener, host, port), drain, close }
}

/** How long connections stay open for what is still on its way; `close` comes long before. */
const DRAIN_MS = 60_000

/** Messages reach the handlers undecoded: see `pacedReading` and `messagesOf`. */
const undecoded = (bytes: Buffer): Buffer => bytes
const UNDECODED = {
  register: { ...FleetServiceService.register, requestDeserialize: undecoded },
  runTask: { ...FleetServiceService.runTask, requestDeserialize: undecoded },
}

async function listen(listener: TcpServer, host: string, port: number): Promise<number> {
  listener.listen(port, host)
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the fleet server listens on no TCP port')
  return address.port
}

/** A handler that refuses strangers, and whose failure ends its call and never the process. */
function guarded<Response>(
  { log, admit }: { log: Logger; admit: AgentAuthentication },
  handle: (call: AgentCall<Response>, caller: Caller) => Promise<void>,
) {
  const answer = async (call: AgentCall<Response>) => {
    try {
      const caller = await admit(call.metadata)
      if ('code' in caller) endWith(call, caller)
      else await handle(call, caller)
    } catch (error) {
      if (isOver(call)) return
      log.warn({ err: error }, 'a call of an agent failed')
      endWith(call, statusOf(error))
    }
  }
  return (call: AgentCall<Response>): void => {
    call.on('error', (error) => log.debug({ err: error }, 'a call of an agent broke'))
    void answer(call)
  }
}
