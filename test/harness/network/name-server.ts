import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const HEADER = 12
const MX = 15

/** A name server that knows only the mail servers of domains. `asked`: the domains of all queries, in order. */
export type NameServer = { readonly address: string; readonly asked: readonly string[] }

/**
 * Starts a name server until the end of the test. `mailServers`: the mail server of each domain; '' is a domain that
 * refuses mail (RFC 7505). Other domains do not exist.
 */
export async function startNameServer(mailServers: Readonly<Record<string, string>>): Promise<NameServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = HEADER
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const domain = labels.join('.')
    asked.push(domain)
    const server = mailServers[domain]
    const question = query.subarray(HEADER, at + 5)
    const header = Buffer.from(query.subarray(0, HEADER))
    header.writeUInt16BE(server === undefined ? 0x81_83 : 0x81_80, 2) // an answer: no such domain, or fine
    header.writeUInt16BE(server === undefined ? 0 : 1, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, question, ...(server === undefined ? [] : [record(server)])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

// The name is a pointer to the question; type, class IN, time to live, length, preference, mail server.
function record(server: string): Buffer {
  const labels = server.split('.').filter((label) => label !== '')
  const name = Buffer.concat([
    ...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
  const head = Buffer.alloc(14)
  head.writeUInt16BE(0xc0_00 + HEADER, 0)
  head.writeUInt16BE(MX, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(name.length + 2, 10)
  head.writeUInt16BE(10, 12)
  return Buffer.concat([head, name])
}
