import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A TCP proxy that can cut its connections or refuse new ones, like a broken network. `cutAt` cuts them each time these
 * bytes arrive from a client. `freeze` passes nothing on and cuts nothing, like a server that hangs.
 */
export type CuttableProxy = {
  address: string
  cut(): void
  cutAt(bytes: string): void
  freeze(): void
  thaw(): void
  close(): void
}

/** Starts a proxy to host:port or to the path of a socket. Default: on a free port. It is closed after the test. */
export async function startCuttableProxy(target: string, listenOn = 0): Promise<CuttableProxy> {
  const [host = '', port = ''] = target.split(':')
  const sockets = new Map<Socket, Socket>()
  let fatal: string | undefined
  let isFrozen = false
  const server = createServer((incoming) => {
    const outgoing = target.startsWith('/') ? connect(target) : connect(Number(port), host)
    incoming.on('data', (chunk) => {
      if (fatal !== undefined && chunk.includes(fatal)) cut()
    })
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.set(one, other)
      if (isFrozen) one.pause()
      else one.pipe(other)
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
    }
  })
  server.listen(listenOn, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    // Only TCP can be reset.
    for (const socket of sockets.keys())
      socket.remoteAddress === undefined ? socket.destroy() : socket.resetAndDestroy()
  }
  const close = () => {
    server.close()
    cut()
  }
  onTestFinished(close)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const cutAt = (bytes: string) => {
    fatal = bytes
  }
  const freeze = () => {
    isFrozen = true
    for (const socket of sockets.keys()) socket.unpipe().pause()
  }
  const thaw = () => {
    isFrozen = false
    for (const [one, other] of sockets) one.pipe(other)
  }
  return { address: `127.0.0.1:${address.port}`, cut, cutAt, freeze, thaw, close }
}
