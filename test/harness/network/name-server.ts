import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'

const HEADER = 12
const MX = 15
const AAAA = 28

/** A name server. `asked`: the names of all queries, in order. */
export type NameServer = { readonly address: string; readonly asked: readonly string[] }

/**
 * Starts a name server until the end of the test that knows only mail servers. `mailServers`: the mail server of each
 * domain; '' is a domain that refuses mail (RFC 7505). Other domains do not exist.
 */
export function startNameServer(mailServers: Readonly<Record<string, string>>): Promise<NameServer> {
  return startServer((name) => {
    const server = mailServers[name]
    return server === undefined ? 'no such name' : [record(MX, 60, mailRecord(server))]
  })
}

/** The addresses of a name, or a family whose questions are never answered. No addresses: an empty answer. */
export type Named = { readonly 4?: readonly string[] | 'silent'; readonly 6?: readonly string[] | 'silent' }

/** Starts a name server until the end of the test that knows only addresses, for `ttl` seconds. */
export function startAddressServer(names: Readonly<Record<string, Named>>, ttl = 60): Promise<NameServer> {
  return startServer((name, type) => {
    const named = names[name]
    if (!named) return 'no such name'
    const addresses = named[type === AAAA ? 6 : 4] ?? []
    if (addresses === 'silent') return 'silent'
    return addresses.map((address) => record(type, ttl, Buffer.from(ipaddr.parse(address).toByteArray())))
  })
}

type Reply = readonly Buffer[] | 'no such name' | 'silent'

async function startServer(reply: (name: string, type: number) => Reply): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = HEADER
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.')
    asked.push(name)
    const records = reply(name, query.readUInt16BE(at + 1))
    if (records === 'silent') return
    const header = Buffer.from(query.subarray(0, HEADER))
    const isKnown = records !== 'no such name'
    header.writeUInt16BE(isKnown ? 0x81_80 : 0x81_83, 2) // an answer: fine, or no such domain
    header.writeUInt16BE(isKnown ? records.length : 0, 6)
    header.writeUInt32BE(0, 8)
    const question = query.subarray(HEADER, at + 5)
    socket.send(Buffer.concat([header, question, ...(isKnown ? records : [])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

/** The name is a pointer to the question; type, class IN, time to live, length, data. */
function record(type: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc0_00 + HEADER, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(ttl, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** Preference 10, then the labels of the mail server. */
function mailRecord(server: string): Buffer {
  const labels = server.split('.').filter((label) => label !== '')
  return Buffer.concat([
    Buffer.from([0, 10]),
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
}
