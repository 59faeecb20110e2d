import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAgentMetrics } from '@placefleet/agent/metrics'
import { setRole } from '@placefleet/coordinator/accounts/roles'
import { afterAll, expect, test } from 'vitest'
import { ask } from '../api/api-world.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { freePort } from '../harness/network/free-port.ts'
import { until } from '../harness/until.ts'
import { runOpsHere } from './operator/commands/run-ops.ts'

/** Returns the metrics of a coordinator once they match, as Prometheus reads them. */
const metricsWhen = (what: string, matches: (text: string) => boolean) =>
  until(what, async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return matches(text) && text
  })

const world = await startWorld(afterAll)
const port = await freePort()
const { client, url } = await addCoordinator(world, { METRICS_PORT: `${port}` })

test('a coordinator tells how many jobs and tasks are left, and how old the oldest job is', async () => {
  await client.create({ keywords: ['one', 'two'] })
  const figures = await metricsWhen('the job is counted', (text) =>
    text.includes('placefleet_jobs{status="pending"} 1'),
  )

  expect(figures).toContain('placefleet_task_streams 0')
  expect(figures).toContain('placefleet_jobs{status="running"} 0')
  expect(figures).toMatch(/placefleet_tasks\{state="(waiting|released)"\} 2/)
  expect(figures).toMatch(/placefleet_oldest_job_seconds \d+/)
  expect(figures).toMatch(/placefleet_database_seconds 0\.\d+/)
  expect(figures).toMatch(/placefleet_queue_seconds 0\.\d+/)
  expect(figures).toContain('placefleet_webhook_deliveries_due 0')
})

test('a coordinator counts the jobs that it ends, their credits and the runs of its loops', async () => {
  const id = await client.create({ keywords: ['one'] })
  await client.call('POST', `/api/v1/jobs/${id}/cancel`)
  const ended = 'placefleet_jobs_ended_total{status="cancelled"} 1'
  const figures = await metricsWhen('the end is counted', (text) => text.includes(ended))
  expect(figures).toMatch(/placefleet_loop_seconds_count\{loop="starting work on active jobs"\} [1-9]/)
})

test('a coordinator counts its requests by route and status, and unknown paths as one', async () => {
  for (const path of ['/none/one', '/none/two', '/health']) await fetch(`${url}${path}`)
  const unknown = 'route="unknown",status="404"} 2'
  const figures = await metricsWhen('the requests are counted', (text) => text.includes(unknown))
  expect(figures).toContain('placefleet_http_request_seconds_count{method="GET",route="/health",status="200"} 1')
})

test('a coordinator counts what operators grant and correct, each once, and no refused grant', async () => {
  const operator = await addUser(world.db, 0)
  await setRole(world.db, operator.user_id, 'operator')
  const grant = async (body: Record<string, unknown>) =>
    (await ask(url, 'POST', '/api/v1/admin/grants', { key: operator.key, body: { reason: 'a test', ...body } })).status
  const user = operator.user_id

  const welcome = { user, amount: '25', reference: 'welcome' }
  expect(await grant(welcome)).toBe(201)
  expect(await grant(welcome)).toBe(201)
  expect(await grant({ user, amount: '-2.50', type: 'adjustment' })).toBe(201)
  expect(await grant({ ...welcome, amount: '26' })).toBe(409)
  expect(await grant({ user: randomUUID(), amount: '9' })).toBe(404)

  const figures = await metricsWhen('the grants are counted', (text) => text.includes('{type="adjustment"}'))
  expect(figures).toContain('placefleet_credits_total{type="bonus"} 1025') // with those of the first user
  expect(figures).toContain('placefleet_credits_total{type="adjustment"} 2.5')
})

test('a coordinator tells when the last backup and verification ended, and how many deviations the ledger had', async () => {
  const ops = (...args: string[]) => runOpsHere(args, { MONGODB_URL: world.mongoUrl })
  const never = await metricsWhen('the deployment is read', (text) => /ledger_deviations \d/.test(text))
  expect(never).toContain('placefleet_last_backup_timestamp_seconds 0')
  const began = Math.floor(Date.now() / 1_000)

  expect(await ops('backup', '--out', join(world.dataDir, 'backup'))).toMatchObject({ code: 0 })
  expect(await ops('ledger', 'verify')).toMatchObject({ code: 0 })
  const kept = await metricsWhen('the upkeep is read', (text) => /ledger_deviations 0/.test(text))
  await world.db.collection('ledger').updateOne({}, { $inc: { amount: 1 } })
  expect(await ops('ledger', 'verify')).toMatchObject({ code: 1 })
  await metricsWhen('the deviation is read', (text) => /ledger_deviations [1-9]/.test(text))

  for (const what of ['backup', 'verification']) {
    const [, at] = new RegExp(`^placefleet_last_${what}_timestamp_seconds (\\S+)`, 'm').exec(kept) ?? []
    expect(Number(at)).toBeGreaterThanOrEqual(began)
    expect(Number(at)).toBeLessThanOrEqual(Date.now() / 1_000)
  }
})

test('the dashboard and the page name every metric that the programs have, and no other', async () => {
  const agent = createAgentMetrics({ slots: 1, busy: () => 0, resting: () => ({}) })
  const text = await metricsWhen('the coordinator answers', (answer) => answer !== '')
  const names = [...`${text}${await agent.registry.metrics()}`.matchAll(/^# TYPE (placefleet_\w+)/gm)]
  const metrics = names.map(([, name]) => name).toSorted()

  const dir = resolve(import.meta.dirname, '../../deploy/observability')
  const namedIn = (file: string) => {
    const found = readFileSync(`${dir}/${file}`, 'utf8').matchAll(/\bplacefleet_\w+?(?=(_count|_sum|_bucket)?\b)/g)
    return [...new Set([...found].map(([name]) => name))].toSorted()
  }
  expect(namedIn('../../coordinator/guides/metrics.md')).toEqual(metrics)
  expect(namedIn('dashboard.json')).toEqual(metrics)
  expect(metrics).toEqual(expect.arrayContaining(namedIn('rules.yaml')))
})
