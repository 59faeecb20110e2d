import { onTestFinished } from 'vitest'
import { createLink, openEntrance } from './link.ts'

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
  const [host = '', port] = target.split(':')
  let fatal: string | undefined
  const link = createLink(
    'proxy',
    target.startsWith('/') ? { path: target } : { host, port: Number(port) },
    (chunk) => {
      if (fatal !== undefined && chunk.includes(fatal)) cut()
    },
  )
  const entrance = await openEntrance([link], listenOn)
  const cut = () => {
    link.break({ kind: 'cut' })
    link.heal()
  }
  const close = () => {
    cut()
    entrance.close()
  }
  onTestFinished(close)
  return {
    address: `127.0.0.1:${entrance.port}`,
    cut,
    cutAt(bytes) {
      fatal = bytes
    },
    freeze: () => link.break({ kind: 'stall' }),
    thaw: link.heal,
    close,
  }
}
