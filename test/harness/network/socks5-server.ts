import { connect, createServer, type Socket } from 'node:net'
import type { Target } from '@placefleet/deploy/simulation/proxies/forward-proxy'

export interface Socks5Start {
  /** Resolves a host name of the simulated world; undefined when the name does not exist. */
  resolve?: (host: string) => Target | undefined
  /** With user name and password, clients must authenticate. */
  username?: string
  password?: string
  /** The loopback address for outgoing connections, e.g. 127.0.0.5. */
  localAddress?: string
}

/** A running SOCKS5 proxy. */
export interface Socks5Server {
  host: string
  port: number
  /** The targets that clients requested, and the number of refused logins. */
  requests(): { targets: string[]; refused: number }
  close(): Promise<void>
}

// RFC 1928; RFC 1929 for the login.
const VERSION = 5
const NO_LOGIN = 0
const LOGIN = 2
const NONE_ACCEPTABLE = 0xff
const CONNECT = 1
const ADDRESS = { v4: 1, name: 3, v6: 4 } as const
const ANSWER = { done: 0, unreachable: 4, refused: 5 } as const

type Running = { start: Socks5Start; targets: string[]; refused: number }

/** Reads exactly `bytes` bytes. Throws when the client disconnects before. */
type Read = (bytes: number) => Promise<Buffer>

function reader(socket: Socket): Read {
  return async (bytes) => {
    for (;;) {
      const found: unknown = socket.read(bytes)
      if (Buffer.isBuffer(found) && found.length === bytes) return found
      if (socket.readableEnded || socket.destroyed) throw new Error('The client disconnected.')
      await new Promise<void>((resolve) => {
        const go = () => {
          for (const event of ['readable', 'end', 'close']) socket.off(event, go)
          resolve()
        }
        for (const event of ['readable', 'end', 'close']) socket.once(event, go)
      })
    }
  }
}

const byteOf = async (read: Read) => (await read(1))[0] ?? 0
const textOf = async (read: Read) => (await read(await byteOf(read))).toString('utf8')

async function authenticate(socket: Socket, read: Read, running: Running): Promise<boolean> {
  const { username, password } = running.start
  if ((await byteOf(read)) !== VERSION) return false
  const offered = await read(await byteOf(read))
  const wanted = username === undefined ? NO_LOGIN : LOGIN
  if (!offered.includes(wanted)) {
    running.refused++
    socket.end(Buffer.from([VERSION, NONE_ACCEPTABLE]))
    return false
  }
  socket.write(Buffer.from([VERSION, wanted]))
  if (wanted === NO_LOGIN) return true
  await byteOf(read)
  const right = (await textOf(read)) === username && (await textOf(read)) === (password ?? '')
  socket.write(Buffer.from([1, right ? 0 : 1]))
  if (right) return true
  running.refused++
  socket.end()
  return false
}

async function targetOf(read: Read): Promise<Target | undefined> {
  const [, command, , kind] = await read(4)
  const host = await hostOf(read, kind)
  const port = (await read(2)).readUInt16BE(0)
  return command === CONNECT && host !== undefined ? { host, port } : undefined
}

async function hostOf(read: Read, kind: number | undefined): Promise<string | undefined> {
  if (kind === ADDRESS.v4) return [...(await read(4))].join('.')
  if (kind === ADDRESS.name) return textOf(read)
  if (kind === ADDRESS.v6) return ((await read(16)).toString('hex').match(/.{4}/g) ?? []).join(':')
  return undefined
}

const reply = (code: number) => Buffer.from([VERSION, code, 0, ADDRESS.v4, 0, 0, 0, 0, 0, 0])

async function serve(socket: Socket, running: Running): Promise<void> {
  const read = reader(socket)
  if (!(await authenticate(socket, read, running))) return
  const requested = await targetOf(read)
  if (!requested) return void socket.end(reply(ANSWER.refused))
  const { host } = requested
  running.targets.push(`${host}:${requested.port}`)
  const target = host.startsWith('127.') ? requested : running.start.resolve?.(host.toLowerCase())
  if (!target) return void socket.end(reply(ANSWER.unreachable))
  const { localAddress } = running.start
  const upstream = connect({ ...target, ...(localAddress ? { localAddress } : {}) }, () => {
    socket.write(reply(ANSWER.done))
    upstream.pipe(socket).pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
}

/** Starts a SOCKS5 proxy on a free port of 127.0.0.1. It resolves only the names of the simulated world. */
export async function startSocks5Server(start: Socks5Start = {}): Promise<Socks5Server> {
  const running: Running = { start, targets: [], refused: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, running).catch(() => socket.destroy())
  })
  const host = '127.0.0.1'
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    host,
    port: address.port,
    requests: () => ({ targets: [...running.targets], refused: running.refused }),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
