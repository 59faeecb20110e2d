import { z } from 'zod'
import { cliCommand } from '../context.ts'

export const mcpCommand = cliCommand({
  words: 'mcp',
  about: 'serve the tools of the service to an MCP client on stdin and stdout',
  options: z.object({}),
  async run({ url, apiKey, terminal }) {
    const key = apiKey()
    const { bridge } = await import('../mcp-bridge.ts') // not for the other commands: a sixth of their start
    await bridge(url, key, terminal.onInterrupt())
    return undefined
  },
})
