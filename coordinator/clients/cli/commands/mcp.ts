import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { cliCommand } from '../context.ts'
import { VERSION } from '../version.ts'

export const mcpCommand = cliCommand({
  words: 'mcp',
  about: 'serve the tools of the service to an MCP client on stdin and stdout',
  options: z.object({}),
  async run({ url, apiKey, terminal }) {
    const service = new Client({ name: 'placefleet-cli', version: VERSION }, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { authorization: `Bearer ${apiKey()}` } }
    await service.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
    const interrupted = terminal.onInterrupt()
    await new Promise<void>((resolve) => {
      const handle = serveStdio(() => bridgeTo(service, resolve))
      interrupted.addEventListener('abort', () => void handle.close())
    })
    await service.close()
    return undefined
  },
})

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
