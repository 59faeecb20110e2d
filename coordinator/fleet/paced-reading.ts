import { ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor } from '@grpc/grpc-js'

/** A message as it came. `taken` says that it was dealt with, and lets the next one in. */
export type Received = { bytes: Buffer; taken(): void }

/** How fast one stream is read. */
export type Pace = {
  bytesPerSecond: number
  /** How much may come at once after a pause. */
  burstBytes: number
  /** What a message counts for at least, so that many small ones are slowed, too. */
  leastBytes: number
}

/** A stream of a task: far more than collecting yields, and little enough that nobody floods the database. */
export const TASK_PACE: Pace = { bytesPerSecond: 2_000_000, burstBytes: 4_000_000, leastBytes: 32_000 }

/**
 * Reads every stream one message at a time, the next only when the one before was dealt with, and no faster than its
 * pace. What an agent sends beyond that waits in its own memory (HTTP/2 flow control), so a slow database slows agents,
 * and a flood costs a coordinator one message a stream. Without this, grpc-js reads 16 messages ahead.
 */
export const pacedReading =
  (pace: Pace, now: () => number = () => performance.now()): ServerInterceptor =>
  (_method, call) => {
    const bucket = createBucket(pace, now)
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
            const taken = once(() => {
              if (pauseMs > 0) timer = setTimeout(next, pauseMs)
              else next()
            })
            pass({ bytes, taken } satisfies Received)
          },
          onCancel: () => clearTimeout(timer),
        }),
    })
  }

/** The same call but for how it is read. */
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

/** Takes an amount from a bucket that refills, and gives the milliseconds until it would have been there. */
function createBucket({ bytesPerSecond, burstBytes, leastBytes }: Pace, now: () => number): (bytes: number) => number {
  let left = burstBytes
  let at = now()
  return (bytes) => {
    const time = now()
    left = Math.min(burstBytes, left + ((time - at) / 1000) * bytesPerSecond) - Math.max(bytes, leastBytes)
    at = time
    return left >= 0 ? 0 : (-left / bytesPerSecond) * 1000
  }
}

function once(callback: () => void): () => void {
  let called = false
  return () => {
    if (!called) callback()
    called = true
  }
}
