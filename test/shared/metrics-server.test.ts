import { createAgentMetrics } from '@placefleet/agent/metrics'
import { serveMetrics } from '@placefleet/shared/metrics-server'
import { expect, onTestFinished, test } from 'vitest'

const address = { host: '127.0.0.1', port: 0 }

test('an agent reports how busy it is, and counts the drift alarms by path', async () => {
  const metrics = createAgentMetrics({ slots: 4, resting: () => ({}), busy: () => 3 })
  const serving = await serveMetrics(metrics.registry, address)
  onTestFinished(serving.close)
  metrics.drifted('[203][0]')
  metrics.drifted('[203][0]')

  const answer = await fetch(`http://127.0.0.1:${serving.port}/metrics`)

  const figures = await answer.text()
  expect(figures).toContain('placefleet_agent_slots 4')
  expect(figures).toContain('placefleet_agent_busy 3')
  expect(figures).toContain('placefleet_agent_drift_alarms_total{path="[203][0]"} 2')
  expect((await fetch(`http://127.0.0.1:${serving.port}/other`)).status).toBe(404)
})

test('/livez answers while the process runs, /health says whether it works', async () => {
  const metrics = createAgentMetrics({ slots: 4, resting: () => ({}), busy: () => 0 })
  let health = { ok: true, message: 'ok' }
  const serving = await serveMetrics(metrics.registry, address, () => health)
  onTestFinished(serving.close)
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${serving.port}${path}`)).status
  expect([await statusOf('/livez'), await statusOf('/health')]).toEqual([200, 200])

  health = { ok: false, message: 'paused' }

  expect([await statusOf('/livez'), await statusOf('/health')]).toEqual([200, 503])
})

test('unreadable figures are a 503, and the server continues', async () => {
  const metrics = { contentType: 'text/plain', metrics: () => Promise.reject(new Error('the database is down')) }
  const serving = await serveMetrics(metrics, address)
  onTestFinished(serving.close)

  for (let asked = 0; asked < 2; asked++) {
    expect((await fetch(`http://127.0.0.1:${serving.port}/metrics`)).status).toBe(503)
  }
})
