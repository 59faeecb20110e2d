import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Target } from '@placefleet/deploy/simulation/proxies/forward-proxy'

export type Socks5Start = {
  /** Resolves a host name of the simulated world; undefined when the name does not exist. */
  resolve?: (host: string) => Target | undefined
  /** With user name and password, clients must authenticate. */
  username?: string
  password?: string
  /** The loopback address for outgoing connections, e.g. 127.0.0.5. */
  localAddress?: string
}

/** A running SOCKS5 proxy. */
export type Socks5Server = {
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

/** Starts a SOCKS5 proxy on a free port of 127.0.0.1. It resolves only the names of the simulated world. */
export async function startSocks5Server(start: Socks5Start = {}): Promise<Socks5Server> {
  const targets: string[] = []
  const sockets = new Set<Socket>()
  let refused = 0
  const serve = async (socket: Socket) => {
    const read = reader(socket)
    if (!(await authenticate(socket, read, start))) {
      refused++
      return
    }
    const requested = await targetOf(read)
    if (!requested) return void socket.end(reply(ANSWER.refused))
    targets.push(`${requested.host}:${requested.port}`)
    const { host } = requested
    const target = host.startsWith('127.') ? requested : start.resolve?.(host.toLowerCase())
    if (!target) return void socket.end(reply(ANSWER.unreachable))
    const { localAddress } = start
    const upstream = connect({ ...target, ...(localAddress ? { localAddress } : {}) }, () => {
      socket.write(reply(ANSWER.done))
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  }
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)))
    serve(socket).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const requests = () => ({ targets: [...targets], refused })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, requests, close }
}

/** Reads exactly so many bytes. Throws when the client disconnects before. */
type Read = (bytes: number) => Promise<Buffer>

function reader(socket: Socket): Read {
  return async (bytes) => {
    for (;;) {
      const found: unknown = socket.read(bytes)
      if (Buffer.isBuffer(found) && found.length === bytes) return found
      if (socket.readableEnded || socket.destroyed) throw new Error('The client disconnected.')
      const waited = new AbortController()
      await Promise.race(['readable', 'end', 'close'].map((event) => once(socket, event, waited)))
      waited.abort()
    }
  }
}

const byteOf = async (read: Read) => (await read(1))[0] ?? 0
const textOf = async (read: Read) => (await read(await byteOf(read))).toString('utf8')

async function authenticate(socket: Socket, read: Read, { username, password = '' }: Socks5Start): Promise<boolean> {
  await byteOf(read) // the version
  const offered = await read(await byteOf(read))
  const wanted = username === undefined ? NO_LOGIN : LOGIN
  const isOffered = offered.includes(wanted)
  socket.write(Buffer.from([VERSION, isOffered ? wanted : NONE_ACCEPTABLE]))
  if (isOffered && wanted === NO_LOGIN) return true
  if (isOffered) await byteOf(read)
  const isRight = isOffered && (await textOf(read)) === username && (await textOf(read)) === password
  if (isOffered) socket.write(Buffer.from([1, isRight ? 0 : 1]))
  if (!isRight) socket.end()
  return isRight
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
