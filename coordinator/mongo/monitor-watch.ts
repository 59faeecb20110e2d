import type { Logger } from '@placefleet/shared/log'
import type { MongoClient } from 'mongodb'

/**
 * A monitor of the driver counts as stuck when no heartbeat has ended for this many seconds. It starts one every
 * `HEARTBEAT_MS`, and may take 5 s to connect and 5 s for the answer.
 */
const STUCK_SECONDS = 15

/** How often the monitor checks the server. */
export const HEARTBEAT_MS = 2_000

const SECOND_MS = 1_000

/** Counts for how many seconds the monitors of a client were silent. Each server has its own monitor. */
export function createSilence(stuckSeconds: number) {
  const ofServers = new Map<string, number>()
  let ofAll = 0
  return {
    heard(address: string): void {
      ofServers.set(address, 0)
      ofAll = 0
    },
    /** Forgets a server that is no longer monitored. */
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
 * Reconnects a client when one of its monitors is stuck, until stopped. In mongodb 7.8.0 a heartbeat that starts while
 * its connection breaks never returns from `Connection.writeCommand`. A client without a monitor never finds its server
 * again. This happened 3 times in 112 kills and freezes of the embedded server.
 */
export function watchMonitor(client: MongoClient, log?: Logger, stuckSeconds = STUCK_SECONDS): { stop(): void } {
  const silence = createSilence(stuckSeconds)
  let reconnecting = false
  const heard = ({ connectionId }: { connectionId: string }) => silence.heard(connectionId)
  client.on('serverHeartbeatSucceeded', heard).on('serverHeartbeatFailed', heard)
  client.on('serverClosed', ({ address }) => silence.left(address))
  const reconnect = async () => {
    reconnecting = true
    log?.warn('the database driver is stuck; reconnecting')
    try {
      await client.close()
      silence.forgetServers()
      await client.connect()
    } catch (error) {
      log?.warn({ err: error }, 'the database cannot be reached yet; retrying')
    }
    reconnecting = false
  }
  // Counts seconds instead of reading the clock: a process that was frozen must first read the pending heartbeats.
  const timer = setInterval(() => {
    if (silence.isStuckNow() && !reconnecting) void reconnect()
  }, SECOND_MS)
  timer.unref() // this timer must not keep the process alive
  return { stop: () => clearInterval(timer) }
}
