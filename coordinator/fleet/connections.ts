import type { Socket } from 'node:net'
import { createTally } from '../cache.ts'
import { networkOf } from '../http/addresses.ts'

/** Connections of one address on which no call was accepted yet. Agents behind a balancer share its address. */
const MAX_STRANGERS = 50

/** How soon a call must be accepted on a new connection. Agents register at once. */
const ACCEPTED_WITHIN_MS = 10_000

/** The connections on which no call was accepted yet. */
export type Strangers = {
  /** Takes a new connection, and closes it unless a call on it is accepted in time. False: it was closed at once. */
  take(socket: Socket): boolean
  /** Notes that a call of a peer, `address:port`, was accepted. Its connection may stay. */
  accepted(peer: string): void
}

/** Bounds what a host without a token can hold of the agent port. */
export function createStrangers(withinMs: number = ACCEPTED_WITHIN_MS): Strangers {
  const byPeer = new Map<string, () => void>()
  const byNetwork = createTally()
  return {
    take(socket) {
      const network = networkOf(socket.remoteAddress ?? '')
      const peer = `${socket.remoteAddress}:${socket.remotePort}`
      if (byNetwork.of(network) >= MAX_STRANGERS) {
        socket.destroy()
        return false
      }
      byNetwork.add(network)
      const timer = setTimeout(() => socket.destroy(), withinMs)
      const over = () => {
        if (byPeer.get(peer) !== over) return
        clearTimeout(timer)
        byPeer.delete(peer)
        byNetwork.remove(network)
      }
      byPeer.set(peer, over)
      socket.once('close', over)
      return true
    },
    accepted: (peer) => byPeer.get(peer)?.(),
  }
}
