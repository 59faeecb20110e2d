import { createHmac } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Placefleet } from '@placefleet/client'
import { buildN8n } from '@placefleet/deploy/packages/n8n'
import { packed, ROOT, run } from '@placefleet/deploy/packages/pack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { keyOf, placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

/** n8n's engine, and the linter by which n8n verifies nodes. */
const TOOLS = ['n8n-core@2.41.1', '@n8n/node-cli@0.48.3', 'typescript@5.8.3', '@types/node@24.19.2']

const SOURCES = join(ROOT, 'coordinator/clients/n8n')
const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)

/** An empty project outside the repository. */
const project = temporaryDir(afterAll)

const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)
/** The number of a place that is never collected, and the keyword that finds it. */
const ENDLESS = 99
const collector = scriptedCollector({
  find: (keyword) => (keyword === 'endless' ? [ENDLESS] : [0, 1, 2, 3, 4]),
  before: async (_task, { place_key }, signal) => {
    if (place_key === keyOf(ENDLESS)) await new Promise((stopped) => signal.addEventListener('abort', stopped))
  },
})
await addAgent(world, grpc, collector)
const { jobs, monitors, webhooks } = new Placefleet({ url, apiKey: API_KEY })

const env = { ...process.env, N8N_USER_FOLDER: project, PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY }
const inProject = { cwd: project, env, maxBuffer: 50_000_000 }

beforeAll(async () => {
  writeFileSync(join(project, 'package.json'), '{}')
  const tarball = await packed(await buildN8n(project), project)
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  await run('npm', ['install', ...options, tarball, ...TOOLS], inProject)
}, 1_800_000)

/** Runs an operation with n8n's engine, and returns the items that come out. */
async function items(parameters: object, execution = 'e1') {
  const program = join(import.meta.dirname, 'n8n/run-node.cjs')
  const options = { ...inProject, env: { ...env, EXECUTION: execution } }
  const { stdout } = await run(process.execPath, [program, project, JSON.stringify(parameters)], options)
  return JSON.parse(stdout.slice(stdout.indexOf('[{')))
}

/** Runs a method of the trigger, and returns its result, with what the node keeps and the status that it answers. */
async function trigger(method: string, given: object) {
  const program = join(import.meta.dirname, 'n8n/run-trigger.cjs')
  const { stdout } = await run(process.execPath, [program, project, method, JSON.stringify(given)], inProject)
  return JSON.parse(stdout)
}

const CREATE = { resource: 'job', operation: 'create', name: 'n8n', keywords: 'cafe, bakery', maxResults: 5 }

describe('n8n-nodes-placefleet as a tarball', () => {
  test('brings no other package, and no other file than its modules', async () => {
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/n8n-nodes-placefleet/package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    const modules: string[] = [...manifest.n8n.nodes, ...manifest.n8n.credentials]
    for (const module of modules) {
      const code = readFileSync(join(project, 'node_modules/n8n-nodes-placefleet', module), 'utf8')
      const needed = [...code.matchAll(/require\("(.*?)"\)/g)].map(([, name]) => name)
      expect(['n8n-workflow', 'node:crypto']).toEqual(expect.arrayContaining(needed))
    }
  })

  test('passes the linter of n8n and type-checks strictly', async () => {
    const sources = join(project, 'sources')
    cpSync(SOURCES, sources, { recursive: true })
    const manifest = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8'))
    const author = { ...manifest.author, email: 'publisher@example.com' } // whoever publishes it writes theirs
    writeFileSync(join(sources, 'package.json'), JSON.stringify({ ...manifest, author }, undefined, 2))
    writeFileSync(join(sources, 'eslint.config.mjs'), "export { config as default } from '@n8n/node-cli/eslint'\n")
    await run(join(project, 'node_modules/.bin/tsc'), ['--noEmit', '--project', sources], inProject)
    // With NODE_ENV=test, as vitest sets it, the linter's rules take the files for those of their own tests.
    const options = { ...inProject, cwd: sources, env: { ...env, NODE_ENV: 'production' } }
    const lint = run(join(project, 'node_modules/.bin/eslint'), ['.'], options)
    const stdout = await lint.then(
      (result) => result.stdout,
      (failure: { stdout: string }) => failure.stdout,
    )
    expect(stdout).toBe('')
  })

  test('creates a job once, waits for it, and gets its places and its file', async () => {
    const [created] = await items(CREATE)
    const [again] = await items(CREATE)
    expect(again).toEqual(created)
    const jobId: string = created.json.id
    const job = { resource: 'job', jobId }

    const [ended] = await items({ ...job, operation: 'wait' })
    const places = await items({ ...job, operation: 'getPlaces', returnAll: true })
    const [file] = await items({ ...job, operation: 'export', format: 'csv' })
    const [got] = await items({ ...job, operation: 'get' })
    const [listed] = await items({ resource: 'job', operation: 'getAll', limit: 1 })

    expect(ended.json).toMatchObject({ id: jobId, status: 'completed', result_count: 5 })
    expect(places.map(({ json }: { json: { title: string } }) => json.title)).toEqual(titles)
    const csv = Buffer.from(file.binary.data.data, 'base64').toString().trim().split('\r\n')
    expect(csv).toHaveLength(6)
    expect(file.json).toEqual({ jobId, format: 'csv' })
    expect(got.json.data.keywords).toEqual(['cafe', 'bakery'])
    expect(listed.json.id).toBe(jobId)
  })

  test('collects places that are named one a line, without a search, and gets what became of each', async () => {
    const additionalFields = { places: `${keyOf(1)}\n${keyOf(2)}\n` }
    const [created] = await items({ ...CREATE, keywords: '', additionalFields }, 'e2')
    const job = { resource: 'job', jobId: created.json.id }
    await items({ ...job, operation: 'wait' })
    const inputs = await items({ ...job, operation: 'getInputs', returnAll: true })
    expect(inputs.map(({ json }: { json: { input: string; status: string } }) => [json.input, json.status])).toEqual([
      [keyOf(1), 'stored'],
      [keyOf(2), 'stored'],
    ])
  })

  test('estimates a job, and cancels one', async () => {
    const [estimate] = await items({ ...CREATE, operation: 'estimate', additionalFields: { include_emails: true } })
    expect(estimate.json.estimate.total).toBeGreaterThan(0)
    const { id } = await jobs.create({ name: 'x', keywords: ['endless'], language: 'en' })
    const [cancelled] = await items({ resource: 'job', operation: 'cancel', jobId: id })
    expect(cancelled.json).toEqual({ success: true })
    expect((await jobs.wait(id)).status).toBe('cancelled')
  })

  test('creates a monitor, pauses and resumes it, runs it, reads its changes and deletes it', async () => {
    const monitor = { resource: 'monitor', name: 'Watch', every: '12h', keywords: 'cafe', maxResults: 5 }
    const [created] = await items({ ...monitor, operation: 'create' })
    const monitorId: string = created.json.id
    const that = { resource: 'monitor', monitorId }
    const [paused] = await items({ ...that, operation: 'pause' })
    const [resumed] = await items({ ...that, operation: 'resume' })
    const [started] = await items({ ...that, operation: 'run' })
    await jobs.wait(started.json.job_id)
    const [listed] = await items({ resource: 'monitor', operation: 'getAll' })
    const changes = await items({ ...that, operation: 'getChanges', returnAll: true }).catch(() => [])
    const [deleted] = await items({ ...that, operation: 'delete' })

    expect(created.json.job).toMatchObject({ name: 'Watch', keywords: ['cafe'], max_results: 5 })
    expect([paused.json.paused, resumed.json.paused]).toEqual([true, false])
    expect(listed.json.id).toBe(monitorId)
    expect(changes).toEqual(expect.any(Array))
    expect(deleted.json).toEqual({ deleted: true })
    expect(await monitors.list()).toEqual([])
  })

  test('its trigger registers a webhook, takes only signed deliveries, and deletes the webhook', async () => {
    const given = { parameters: { events: ['job.completed'] }, url: 'https://hooks.example.com/n8n' }
    expect((await trigger('checkExists', { ...given, kept: {} })).result).toBe(false)
    const { kept } = await trigger('create', { ...given, kept: {} })
    const [registered] = await webhooks.list()
    expect(registered).toMatchObject({ id: kept.id, url: given.url, event_types: ['job.completed'] })
    expect((await trigger('checkExists', { ...given, kept })).result).toBe(true)
    expect((await trigger('checkExists', { ...given, kept, url: 'https://hooks.example.com/moved' })).result).toBe(
      false,
    )

    const body = JSON.stringify({ event_type: 'job.completed', job_id: '1', job_name: 'Café' })
    const signedAt = (seconds: number) => {
      const signed = createHmac('sha256', Buffer.from(kept.secret.slice('whsec_'.length), 'base64'))
      const signature = `v1,AAAA v1,${signed.update(`d1.${seconds}.${body}`).digest('base64')}`
      return { 'webhook-id': 'd1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
    }
    const now = Math.floor(Date.now() / 1_000)
    const genuine = await trigger('webhook', { kept, headers: signedAt(now), body })
    expect(genuine.result.workflowData).toEqual([[{ json: JSON.parse(body) }]])
    for (const wrong of [
      { headers: signedAt(now), body: `${body} ` },
      { headers: signedAt(now - 400), body },
      { headers: {}, body },
    ]) {
      expect(await trigger('webhook', { kept, ...wrong })).toMatchObject({
        result: { noWebhookResponse: true },
        status: 401,
      })
    }

    expect((await trigger('delete', { ...given, kept })).kept).toEqual({})
    expect(await webhooks.list()).toMatchObject([{ id: registered?.id, revoked_at: expect.any(String) }])
    expect((await trigger('checkExists', { ...given, kept: registered ? { id: registered.id } : {} })).result).toBe(
      false,
    )
    expect((await trigger('delete', { ...given, kept })).result).toBe(true)
  })
})
