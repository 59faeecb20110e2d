import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is wrong with a link at the moment. */
export type LinkFault =
  | { kind: 'cut' }
  | { kind: 'delay'; ms: number }
  | { kind: 'stall' }
  | { kind: 'throttle'; bytesPerSecond: number }

/** The way between two processes: everything they send each other passes here. */
export type Link = {
  name: string
  /** Carries a connection to the far end; rejects when that does not answer or the link is cut. */
  carry(incoming: Socket): Promise<void>
  /** From now on, until `heal`. A cut also resets what is open. */
  break(fault: LinkFault): void
  heal(): void
  /** Ends one direction of every open connection, leaving the other. */
  halfClose(): void
}

const CHECK_MS = 20

/**
 * Creates a link to an address that is as good as the network of one machine until it is broken. `onSent` is told what
 * the near end sends.
 */
export function createLink(
  name: string,
  target: NetConnectOpts,
  onSent: (chunk: Buffer) => void = () => undefined,
): Link {
  const pairs = new Set<{ incoming: Socket; outgoing: Socket }>()
  let fault: LinkFault | undefined

  const passage = async (bytes: number) => {
    if (fault?.kind === 'delay') await sleep(fault.ms)
    if (fault?.kind === 'throttle') await sleep((bytes / fault.bytesPerSecond) * 1_000)
    while (fault?.kind === 'stall') await sleep(CHECK_MS)
  }
  const pump = async (from: Socket, to: Socket, onChunk?: (chunk: Buffer) => void) => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      onChunk?.(chunk)
      await passage(chunk.length)
      if (to.destroyed) return
      if (!to.write(chunk)) await once(to, 'drain')
    }
    to.end()
  }
  const join = (incoming: Socket, outgoing: Socket) => {
    const pair = { incoming, outgoing }
    pairs.add(pair)
    const both = [pump(incoming, outgoing, onSent), pump(outgoing, incoming)]
    const broken = () => {
      for (const socket of [incoming, outgoing]) reset(socket)
    }
    for (const pumped of both) pumped.catch(broken)
    for (const socket of [incoming, outgoing]) {
      socket.on('close', () => {
        broken()
        pairs.delete(pair)
      })
    }
  }

  return {
    name,
    async carry(incoming) {
      if (fault?.kind === 'cut') throw new Error(`${name} is cut`)
      const outgoing = connect({ ...target, allowHalfOpen: true })
      outgoing.on('error', () => outgoing.destroy())
      await once(outgoing, 'connect')
      if (incoming.destroyed) return void outgoing.destroy()
      join(incoming, outgoing)
    },
    break(next) {
      fault = next
      if (next.kind !== 'cut') return
      for (const { incoming, outgoing } of pairs) {
        reset(incoming)
        reset(outgoing)
      }
    },
    heal() {
      fault = undefined
    },
    halfClose() {
      for (const { outgoing } of pairs) outgoing.end()
    },
  }
}

/**
 * Opens a port of this machine whose connections go over the links in turn, as a load balancer does it: one that does
 * not answer is passed over.
 */
export async function openEntrance(links: readonly Link[], listenOn = 0): Promise<{ port: number; close(): void }> {
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    open.add(incoming)
    incoming.on('error', () => incoming.destroy()).on('close', () => open.delete(incoming))
    turn += 1
    const first = turn % links.length
    void carryOver([...links.slice(first), ...links.slice(0, first)], incoming)
  })
  server.listen(listenOn, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, close }
}

async function carryOver(links: readonly Link[], incoming: Socket): Promise<void> {
  for (const link of links) {
    try {
      return await link.carry(incoming)
    } catch {
      // The next one may answer; a client that reaches none sees its connection reset.
    }
  }
  reset(incoming)
}

/** Breaks a connection off; over a unix socket there is no reset, only an end. */
function reset(socket: Socket): void {
  if (socket.destroyed) return
  if (socket.remoteFamily === undefined) socket.destroy()
  else socket.resetAndDestroy()
}
