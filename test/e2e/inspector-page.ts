import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { assistant } from '../coordinator/mcp/assistant.ts'

/** The program of a page of another site: an assistant that runs in a browser. */
function inspector(url: string, redirect: string) {
  const { memory, provider } = assistant(redirect)
  const transport = () => new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: provider })
  const first = transport()
  return {
    /** Connects without a key. Returns the address at which its person lets it in. */
    async begin(): Promise<string | undefined> {
      await new Client({ name: 'inspector', version: '1' }).connect(first).catch(() => undefined)
      return memory.visited?.href
    },

    /** Signs in with a code. Returns the tools, and the answer of one. */
    async finish(code: string) {
      await first.finishAuth(code)
      const client = new Client({ name: 'inspector', version: '1' })
      await client.connect(transport())
      const { tools } = await client.listTools()
      const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} })
      await client.close()
      return { tools: tools.map(({ name }) => name), balance: structuredContent }
    },
  }
}

Object.assign(globalThis, { inspector })
