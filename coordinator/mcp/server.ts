import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Monitor } from '../monitors/schema.ts'
import type { McpCalls } from './calls.ts'
import { addJobTools } from './job-tools.ts'
import { addPlaceTools } from './place-tools.ts'
import { createToolRunner, type ToolError, type ToolRunner } from './tool.ts'

/** Adds the tool that lists monitors with what they found lately. */
function addMonitorTools(server: McpServer, calls: McpCalls, run: ToolRunner): void {
  server.registerTool(
    'list_monitors',
    {
      description: 'Lists monitors, which create a job again and again: their next and last run.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      run(async () => {
        const monitors = await calls.monitors()
        const summary = `${monitors.length} monitors. ${monitors.map(describeMonitor).join(' ')}`.trim()
        return { summary, monitors, next_step: 'Call get_job with the job_id of a last run to see what it found.' }
      }),
  )
}

function describeMonitor({ name, paused, pause_reason, next_runs: [next] }: Monitor): string {
  if (paused) return `"${name}" is paused (${pause_reason ?? 'by its user'}).`
  return next === undefined ? `"${name}" has ended.` : `"${name}" runs next at ${next}.`
}

const INSTRUCTIONS = `Placefleet collects business listings (places) from a map search. Each place costs credits.
For a job around a town, find its coordinates with find_town.
First estimate a job. Then create it with max_cost, wait for its end with get_job, and read its places.`

type McpServerDeps = {
  calls: McpCalls
  version: string
  describeError(error: unknown): ToolError
}

/** Creates the MCP server of one request, on behalf of one account. */
export function createMcpServer({ calls, version, describeError }: McpServerDeps): McpServer {
  const server = new McpServer({ name: 'placefleet', version }, { instructions: INSTRUCTIONS })
  const run = createToolRunner(describeError)
  addJobTools(server, calls, run)
  addMonitorTools(server, calls, run)
  addPlaceTools(server, calls, run)
  return server
}
