import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A TCP proxy that can cut its connections or refuse new ones, like a broken network. `cutAt` cuts them each time these
 * bytes arrive from a client.
 */
export type CuttableProxy = { address: string; cut(): void; cutAt(bytes: string): void; close(): void }

/** Starts a proxy to host:port or to the path of a socket. Default: on a free port. It is closed after the test. */
export async function startCuttableProxy(target: string, listenOn = 0): Promise<CuttableProxy> {
  const [host = '', port = ''] = target.split(':')
  const sockets = new Set<Socket>()
  let fatal: string | undefined
  const server = createServer((incoming) => {
    const outgoing = target.startsWith('/') ? connect(target) : connect(Number(port), host)
    incoming.on('data', (chunk) => {
      if (fatal !== undefined && chunk.includes(fatal)) cut()
    })
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
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
    for (const socket of sockets) socket.remoteAddress === undefined ? socket.destroy() : socket.resetAndDestroy()
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
  return { address: `127.0.0.1:${address.port}`, cut, cutAt, close }
}
