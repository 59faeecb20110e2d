import { once } from 'node:events'
import { createServer, type Server as TcpServer } from 'node:net'
import {
  Server,
  type ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js'
import { FleetServiceService } from '@placefleet/proto/fleet'
import type { Logger } from '@placefleet/shared/log'
import { KEEPALIVE, MAX_MESSAGE_BYTES } from '@placefleet/shared/protocol'
import { inTime } from '@placefleet/shared/timing'
import type { ExitOfCall } from './agent-exit.ts'
import { type AgentCall, addressOfPeer, type Caller, endWith, isOver, type Received, statusOf } from './call.ts'
import { createStrangers, type Strangers } from './connections.ts'
import type { Admission } from './guess-limit.ts'
import { type RegisterDeps, register } from './register.ts'
import { type RunTaskDeps, runTask } from './run-task.ts'
import { type TakeTurnsDeps, takeTurns } from './take-turns.ts'

/** The most concurrent streams of one connection: more than any agent has slots. */
const MAX_STREAMS = 200

/** The most connections of one coordinator. Keepalive closes silent ones. */
const MAX_CONNECTIONS = 5_000

/** The gRPC server of a coordinator. */
export type FleetServer = {
  port: number
  /** Refuses new agents, and sends the connected ones to another coordinator. */
  drain(): void
  /** Ends all calls. Resolves when they have written what they had to. */
  close(): Promise<void>
}

type ListenOptions = { host: string; port: number; credentials: ServerCredentials }

/**
 * Serves agents on host and port (0 lets the system choose).
 * @throws Error when the port is not available.
 */
export async function serveFleet(
  deps: RunTaskDeps & RegisterDeps & TakeTurnsDeps & { admit: Admission; exitOfCall: ExitOfCall },
  { host, port, credentials }: ListenOptions,
): Promise<FleetServer> {
  const server = new Server({
    ...KEEPALIVE,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    interceptors: [pacedReading(TASK_PACE)],
  })
  const running = new Set<Promise<void>>()
  const strangers = createStrangers()
  const guardedDeps = { ...deps, running, strangers }
  server.addService(UNDECODED, {
    register: guarded(guardedDeps, (call: Parameters<typeof register>[1], caller) => register(deps, call, caller)),
    runTask: guarded(guardedDeps, (call: Parameters<typeof runTask>[1], caller) => runTask(deps, call, caller)),
    takeTurns: guarded(guardedDeps, (call: Parameters<typeof takeTurns>[1], caller) => takeTurns(deps, call, caller)),
  })
  const injector = server.createConnectionInjector(credentials)
  const listener = createServer({ noDelay: true }, (socket) => {
    socket.on('error', (error) => deps.log.debug({ err: error }, 'a connection of an agent broke'))
    if (strangers.take(socket)) injector.injectConnection(socket)
  })
  listener.maxConnections = MAX_CONNECTIONS
  const drain = () => {
    if (listener.listening) listener.close()
    injector.drain(DRAIN_MS) // sends GOAWAY: from now on agents open their streams on another connection
    deps.streams.stopAll('draining')
  }
  const close = async () => {
    drain()
    server.forceShutdown() // tryShutdown waits for open streams, and a frozen agent never ends its own
    // What the calls still write, such as that an agent has left, needs the database.
    await inTime(Promise.all(running), LAST_WRITES_MS)
  }
  return { port: await listen(listener, host, port), drain, close }
}

/** How long `close` waits for the last writes of the calls. A database that is down must not delay it further. */
const LAST_WRITES_MS = 5_000

/** How long connections stay open for messages in transit. `close` ends them long before. */
const DRAIN_MS = 60_000

/** Messages reach the handlers undecoded: see `pacedReading` and `messagesOf`. */
const undecoded = (bytes: Buffer): Buffer => bytes
const UNDECODED = {
  register: { ...FleetServiceService.register, requestDeserialize: undecoded },
  runTask: { ...FleetServiceService.runTask, requestDeserialize: undecoded },
  takeTurns: { ...FleetServiceService.takeTurns, requestDeserialize: undecoded },
}

async function listen(listener: TcpServer, host: string, port: number): Promise<number> {
  listener.listen(port, host)
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the fleet server listens on no TCP port')
  return address.port
}

type GuardDeps = {
  log: Logger
  admit: Admission
  exitOfCall: ExitOfCall
  running: Set<Promise<void>>
  strangers: Strangers
}

/**
 * Returns a handler that authenticates calls and is in `running` until it ends. A failure ends the call and never the
 * process.
 */
function guarded<Response>(
  { log, admit, exitOfCall, running, strangers }: GuardDeps,
  handle: (call: AgentCall<Response>, caller: Caller) => Promise<void>,
) {
  const answer = async (call: AgentCall<Response>) => {
    try {
      const peer = call.getPeer()
      const address = addressOfPeer(peer)
      const admitted = await admit(call.metadata, address)
      if ('code' in admitted) return endWith(call, admitted)
      strangers.accepted(peer)
      await handle(call, { ...admitted, exit: exitOfCall(call.metadata, address) })
    } catch (error) {
      if (isOver(call)) return
      log.warn({ err: error }, 'a call of an agent failed')
      endWith(call, statusOf(error))
    }
  }
  return (call: AgentCall<Response>): void => {
    call.on('error', (error) => log.debug({ err: error }, 'a call of an agent broke'))
    const answering = answer(call).finally(() => running.delete(answering))
    running.add(answering)
  }
}

/** The speed at which one stream is read. */
export type Pace = {
  bytesPerSecond: number
  /** How many bytes may arrive at once after a pause. */
  burstBytes: number
  /** The smallest size that a message counts as, so that many small messages are slowed down too. */
  leastBytes: number
}

/** The pace of a task stream: far above what collecting needs, and low enough to protect the database. */
const TASK_PACE: Pace = { bytesPerSecond: 2_000_000, burstBytes: 4_000_000, leastBytes: 32_000 }

/**
 * Reads one message of a stream at a time, after the last one was handled, and no faster than the pace. Further messages
 * wait in the memory of the agent (HTTP/2 flow control). So a slow database slows agents, and a flood costs a
 * coordinator one message per stream. By default grpc-js reads 16 messages ahead.
 */
export const pacedReading =
  (pace: Pace): ServerInterceptor =>
  (_method, call) => {
    const bucket = createBucket(pace)
    let wanted = false
    let waiting = false
    let timer: NodeJS.Timeout | undefined
    const readOn = () => {
      if (!wanted || waiting) return
      wanted = false
      waiting = true
      call.startRead()
    }
    const next = () => {
      waiting = false
      readOn()
    }
    const startRead = () => {
      wanted = true
      readOn()
    }
    return new ServerInterceptingCall(reading(call, startRead), {
      start: (begin) =>
        begin({
          onReceiveMessage: (bytes: Buffer, pass) => {
            const pauseMs = bucket(bytes.length)
            const taken = callableOnce(() => {
              if (pauseMs > 0) timer = setTimeout(next, pauseMs)
              else next()
            })
            pass({ bytes, taken } satisfies Received)
          },
          onCancel: () => clearTimeout(timer),
        }),
    })
  }

function reading(call: ServerInterceptingCallInterface, startRead: () => void): ServerInterceptingCallInterface {
  return {
    start: (listener) => call.start(listener),
    sendMetadata: (metadata) => call.sendMetadata(metadata),
    sendMessage: (message, callback) => call.sendMessage(message, callback),
    sendStatus: (status) => call.sendStatus(status),
    startRead,
    getPeer: () => call.getPeer(),
    getDeadline: () => call.getDeadline(),
    getHost: () => call.getHost(),
    getAuthContext: () => call.getAuthContext(),
    getConnectionInfo: () => call.getConnectionInfo(),
    getMetricsRecorder: () => call.getMetricsRecorder(),
  }
}

/** Returns a function that takes bytes from a bucket and returns the milliseconds until the bucket has refilled. */
function createBucket({ bytesPerSecond, burstBytes, leastBytes }: Pace): (bytes: number) => number {
  let left = burstBytes
  let at = performance.now()
  return (bytes) => {
    const time = performance.now()
    left = Math.min(burstBytes, left + ((time - at) / 1000) * bytesPerSecond) - Math.max(bytes, leastBytes)
    at = time
    return left >= 0 ? 0 : (-left / bytesPerSecond) * 1000
  }
}

function callableOnce(callback: () => void): () => void {
  let called = false
  return () => {
    if (!called) callback()
    called = true
  }
}
