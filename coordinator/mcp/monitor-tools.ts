import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Monitor } from '../monitors/schema.ts'
import type { McpCalls } from './calls.ts'
import type { ToolRunner } from './tool.ts'

/** Adds the tool that lists monitors with what they found lately. */
export function addMonitorTools(server: McpServer, calls: McpCalls, run: ToolRunner): void {
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
