import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { VERSION } from './context.ts'

/** Serves the tools of the service at `url` on stdin and stdout until the client leaves or `interrupted` is aborted. */
export async function bridge(url: string, key: string, interrupted: AbortSignal): Promise<void> {
  const service = new Client({ name: 'placefleet-cli', version: VERSION }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await service.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  await new Promise<void>((resolve) => {
    const handle = serveStdio(() => bridgeTo(service, resolve))
    interrupted.addEventListener('abort', () => void handle.close())
  })
  await service.close()
}

/** Creates a server that forwards every request, because only the service describes the tools. */
function bridgeTo(service: Client, onEnd: () => void): Server {
  const instructions = service.getInstructions()
  const info = service.getServerVersion() ?? { name: 'placefleet', version: VERSION }
  const server = new Server(info, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  })
  server.setRequestHandler('tools/list', ({ params }) => service.listTools(params))
  server.setRequestHandler('tools/call', ({ params }) => service.callTool(params))
  server.onclose = onEnd
  return server
}
