import type { Logger } from '@placefleet/shared/log'
import type { MongoClient } from 'mongodb'

/**
 * Seconds without the end of a heartbeat after which the driver's monitor is taken for stuck: it begins one every
 * `HEARTBEAT_MS`, and takes 5 s at most to connect and as long again for an answer.
 */
const STUCK_SECONDS = 15

/** How often the monitor looks after the server. */
export const HEARTBEAT_MS = 2_000

const SECOND_MS = 1_000

/**
 * Connects a client anew when its monitor is stuck, until stopped. In mongodb 7.8.0 a heartbeat that begins in the moment
 * in which its connection breaks waits for ever for that connection to take more (`Connection.writeCommand`), and a
 * client without a monitor never finds its server again: 3 times in 112 kills and freezes of the embedded server.
 */
export function watchMonitor(client: MongoClient, log?: Logger, stuckSeconds = STUCK_SECONDS): { stop(): void } {
  let seconds = 0
  let reconnecting = false
  const alive = () => {
    seconds = 0
  }
  client.on('serverHeartbeatSucceeded', alive).on('serverHeartbeatFailed', alive)
  const reconnect = async () => {
    reconnecting = true
    log?.warn({ seconds }, 'the database driver is stuck; connecting anew')
    try {
      await client.close()
      await client.connect()
    } catch (error) {
      log?.warn({ err: error }, 'the database cannot be reached yet; trying on')
    }
    reconnecting = false
  }
  // Seconds are counted, not measured: a process that was frozen must first hear what came in meanwhile.
  const timer = setInterval(() => {
    seconds += 1
    if (seconds > stuckSeconds && !reconnecting) void reconnect()
  }, SECOND_MS)
  timer.unref() // watching is no reason to stay alive
  return { stop: () => clearInterval(timer) }
}
