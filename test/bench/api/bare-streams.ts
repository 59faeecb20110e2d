// A bare HTTP server of event streams. Each stream sends one event, and ends when any other path is requested.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const END = 'id: end\ndata: {"type":"end"}\n\n'

const dismissed = once(process, 'disconnect')
const open = new Set<ServerResponse>()
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!request.url?.endsWith('/events')) {
    for (const stream of open) stream.end(END)
    return void response.end()
  }
  open.add(response)
  response.write(': here\n\n')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
await dismissed
server.closeAllConnections()
server.close()
