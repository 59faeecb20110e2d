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

/** Counts the seconds for which the monitors of a client's servers were silent. Each server has a monitor of its own. */
export function createSilence(stuckSeconds: number) {
  const ofServers = new Map<string, number>()
  let ofAll = 0
  return {
    heard(address: string): void {
      ofServers.set(address, 0)
      ofAll = 0
    },
    /** Forgets a server that is no longer watched. */
    left: (address: string): void => void ofServers.delete(address),
    forgetServers: (): void => ofServers.clear(),
    /** Counts a second. Returns whether a monitor has been silent for too long. */
    isStuckNow(): boolean {
      ofAll += 1
      for (const [address, seconds] of ofServers) ofServers.set(address, seconds + 1)
      return Math.max(ofAll, ...ofServers.values()) > stuckSeconds
    },
  }
}

/**
 * Connects a client anew when a monitor of it is stuck, until stopped. In mongodb 7.8.0 a heartbeat that begins in the moment
 * in which its connection breaks waits for ever for that connection to take more (`Connection.writeCommand`), and a
 * client without a monitor never finds its server again: 3 times in 112 kills and freezes of the embedded server.
 */
export function watchMonitor(client: MongoClient, log?: Logger, stuckSeconds = STUCK_SECONDS): { stop(): void } {
  const silence = createSilence(stuckSeconds)
  let reconnecting = false
  const heard = ({ connectionId }: { connectionId: string }) => silence.heard(connectionId)
  client.on('serverHeartbeatSucceeded', heard).on('serverHeartbeatFailed', heard)
  client.on('serverClosed', ({ address }) => silence.left(address))
  const reconnect = async () => {
    reconnecting = true
    log?.warn('the database driver is stuck; connecting anew')
    try {
      await client.close()
      silence.forgetServers()
      await client.connect()
    } catch (error) {
      log?.warn({ err: error }, 'the database cannot be reached yet; trying on')
    }
    reconnecting = false
  }
  // Seconds are counted, not measured: a process that was frozen must first hear what came in meanwhile.
  const timer = setInterval(() => {
    if (silence.isStuckNow() && !reconnecting) void reconnect()
  }, SECOND_MS)
  timer.unref() // watching is no reason to stay alive
  return { stop: () => clearInterval(timer) }
}
