import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { startOutsideWorld } from '@placefleet/deploy/simulation/outside-world'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startAgentProcess, startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { startWorld } from '../harness/coordinator/world.ts'
import { serve } from '../harness/network/serve.ts'
import { testReceiver } from '../harness/network/test-receiver.ts'
import { until } from '../harness/until.ts'

/** Until the kill, collecting takes longer than the second in which the span of the search arrives. */
const SLOW = { min: 300, max: 400 }
const FAST = { min: 0, max: 0 }

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const MCP_TRACE = '5bf92f3577b34da6a3ce929d0e0e4737'

const Value = z.object({ stringValue: z.string().optional() })
const Span = z.object({ traceId: z.string(), name: z.string() })
const Exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: Value })) }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

/** Starts an OpenTelemetry collector that keeps the spans of all processes. */
async function startTraceCollector() {
  const spans: (z.infer<typeof Span> & { service: string })[] = []
  const { url } = await serve(async (request, response) => {
    for (const { resource, scopeSpans } of Exported.parse(await json(request)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return { spans, url }
}

test('a job is one trace from its request to its webhook, over a restarted coordinator and another agent', async () => {
  const traces = await startTraceCollector()
  const receiver = await testReceiver()
  const outside = await startOutsideWorld({ seed: 5, places: 480, options: { latencyMs: SLOW } })
  onTestFinished(() => outside.close())
  const world = await startWorld()
  const ca = join(world.dataDir, 'authority.pem')
  writeFileSync(ca, receiver.authority.ca)
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url }
  const env = { ...traced, NODE_EXTRA_CA_CERTS: ca, WEBHOOK_ALLOW_HOSTS: receiver.host }
  const first = await startCoordinatorProcess(world, env)
  const agentEnv = { ...traced, MAPS_BASE_URL: outside.site.url, COLLECT_RUNG: 'http', AGENT_CONCURRENCY: '2' }
  const killed = startAgentProcess(world, first.grpc, agentEnv)
  const webhook = await first.client.call('POST', '/api/v1/webhooks', { name: 'mine', url: receiver.url })
  expect(webhook.status).toBe(201)

  const request = { name: 'a job', language: 'en', keywords: ['bakery'], depth: 4, max_results: 40 }
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
  const created = await first.client.call('POST', '/api/v1/jobs', request, { traceparent })
  const { id } = z.object({ id: z.string() }).parse(created.body)
  await until('the first task is over', () => traces.spans.some(({ name }) => name === 'task'), 60_000)
  await killed.kill('SIGKILL')
  await first.kill('SIGKILL')
  outside.site.setOptions({ latencyMs: FAST })
  const second = await startCoordinatorProcess(world, { ...env, ...first.ports })
  startAgentProcess(world, second.grpc, agentEnv)
  await second.client.ended(id, 90_000)
  await until('the webhook was sent', () => receiver.received.length > 0, 60_000)
  const last = ['end job', 'webhook attempt']
  const haveArrived = () => last.every((span) => traces.spans.some(({ name }) => name === span))
  await until('the last spans arrive', haveArrived, 60_000)

  const mine = traces.spans.filter(({ traceId }) => traceId === TRACE)
  expect(new Set(mine.map(({ service, name }) => `${service}: ${name}`))).toEqual(
    new Set([
      'placefleet-coordinator: create job',
      'placefleet-agent: task',
      'placefleet-coordinator: end job',
      'placefleet-coordinator: webhook attempt',
    ]),
  )
  expect(traces.spans.filter(({ traceId }) => traceId !== TRACE)).toEqual([])
  expect(receiver.received[0]?.headers.traceparent).toContain(TRACE)
  const ended = second
    .stderr()
    .split('\n')
    .find((line) => line.includes('"job ended"'))
  expect(ended).toContain(`"trace_id":"${TRACE}"`)

  const order = { ...request, max_cost: '0.1' }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_job', arguments: order } }
  const headers = { accept: 'application/json, text/event-stream', traceparent: traceparent.replace(TRACE, MCP_TRACE) }
  expect((await second.client.call('POST', '/mcp', call, headers)).status).toBe(200)
  const byMcp = ({ traceId, name }: { traceId: string; name: string }) => traceId === MCP_TRACE && name === 'create job'
  await until('the trace of a job made over MCP arrives', () => traces.spans.some(byMcp), 60_000)
}, 180_000)
