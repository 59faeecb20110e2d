import { execFile } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Placefleet } from '@placefleet/client'
import { verifyWebhook, type WebhookEvent } from '@placefleet/client/webhooks'
import { findUserByEmail } from '@placefleet/coordinator/accounts/store'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { newSigningSecret } from '@placefleet/shared/webhooks/signature'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { sampleJob } from '../harness/coordinator/sample-job.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { serve } from '../harness/network/serve.ts'
import { COMPILE_CACHE } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)

/** One deployment for all clients, whose agent finds five places for each keyword. */
const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)
await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
const dir = temporaryDir(afterAll)
const env = () => ({ PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY, HOME: dir })

describe('the TypeScript client', () => {
  test('runs a job, with its places and progress', async () => {
    const { jobs } = new Placefleet({ url, apiKey: API_KEY })
    const seen: number[] = []

    const { job, places } = await jobs.run(
      { name: 'by the client', keywords: ['cafe'], language: 'en' },
      { onProgress: ({ result_count }) => seen.push(result_count) },
    )

    expect(job).toMatchObject({ status: 'completed', result_count: 5, total_cost: '0.022000' })
    expect(places.map(({ title }) => title)).toEqual(titles)
    expect(seen.at(-1)).toBe(5)
    expect(await jobs.wait(job.id)).toEqual(job)
  })
})

describe('the command line', () => {
  test('runs a job as a program: data on stdout, messages on stderr, and the requested file', async () => {
    const main = join(ROOT, 'coordinator', 'clients', 'cli', 'main.ts')
    const csv = join(dir, 'places.csv')
    const args = ['run', 'bakery in Berlin', '--max', '4', '--csv', csv, '--json', '--yes']

    const { stdout, stderr } = await run(process.execPath, [main, ...args], { env: { ...COMPILE_CACHE, ...env() } })

    const { job, places } = JSON.parse(stdout)
    expect(job).toMatchObject({ status: 'completed', name: 'bakery in Berlin', result_count: 4 })
    expect(places).toHaveLength(4)
    expect(parse(readFileSync(csv, 'utf8'), { columns: true })).toHaveLength(4)
    expect(stderr).toContain(job.id)
    expect(stderr).toContain('completed: 4 places')
  })

  test('asks a person before an expensive job, and a program must say yes', async () => {
    const args = ['run', 'bakery', '--ask-above', '0.01']
    expect(await placefleet(args, env())).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--yes') })
    expect(await placefleet(args, env(), 'n')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Nothing was created'),
    })
    const { code, out } = await placefleet(args, env(), 'y')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(titles[4] ?? '') })
  })

  test('creates, watches, lists, shows and exports a job', async () => {
    const json = async (...args: string[]) => JSON.parse((await placefleet([...args, '--json'], env())).out)
    const { id } = await json('jobs', 'create', 'cafe', '--name', 'by hand')

    expect(await json('jobs', 'watch', id)).toMatchObject({ id, status: 'completed' })
    expect(await json('jobs', '--search', 'by hand')).toMatchObject([{ id, name: 'by hand' }])
    expect((await placefleet(['jobs', 'show', id], env())).out).toContain('by hand')
    expect(await json('jobs', 'costs', id)).toMatchObject({ total_credits: '0.022000' })
    expect(await json('jobs', 'coverage', id)).toMatchObject({ coverage: 'none', cells: { blocked: 0 } })
    expect(await json('places', id, '--limit', '2')).toHaveLength(2)
    expect((await placefleet(['places', id, '--follow'], env())).out.trim().split('\n')).toHaveLength(5)
    const columns = ['--columns', 'title,rating', '--semicolon', '--bom']
    expect((await placefleet(['export', id, ...columns], env())).out).toMatch(/^\ufefftitle;rating\r\n/)
    const exported = await placefleet(['export', id, '--format', 'jsonl'], env())
    expect(
      exported.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toEqual(titles)
    const all = await placefleet(['export-all', '--search', 'by hand', '--columns', 'job_id'], env())
    expect(all.out.trim().split('\r\n')).toEqual(['job_id', ...titles.map(() => `"${id}"`)])
    expect(await json('jobs', 'delete', id)).toEqual({ id, deleted: true })
    expect(await placefleet(['jobs', 'show', id], env())).toMatchObject({ code: 4, out: '' })
  })

  test('runs, creates and watches the places of a file above 1,000 with one command each', async () => {
    const file = join(dir, 'shops.csv')
    const csv = join(dir, 'shops-found.csv')
    const keys = Array.from({ length: 1_002 }, (_, n) => `0x${(n + 1).toString(16)}:0x2`)
    writeFileSync(file, ['name;data id', ...keys.map((key) => `"a;b";${key}`)].join('\r\n'))
    const from = ['--places', file, '--name', 'shops', '--yes']

    const { code, out, err } = await placefleet(['run', ...from, '--csv', csv, '--json'], env())
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('shops (2 of 2): ') })
    const { jobs, places } = JSON.parse(out)
    expect(jobs).toMatchObject([
      { name: 'shops (1 of 2)', status: 'completed', result_count: 1_000 },
      { name: 'shops (2 of 2)', status: 'completed', result_count: 2 },
    ])
    expect(places.map(({ input }: { input: string }) => input)).toEqual(expect.arrayContaining(keys))
    const rows = z.array(z.object({ data_id: z.string() })).parse(parse(readFileSync(csv), { columns: true }))
    expect(rows.map(({ data_id }) => data_id).toSorted()).toEqual(keys.toSorted())

    const estimates = JSON.parse((await placefleet(['jobs', 'estimate', ...from.slice(0, 4), '--json'], env())).out)
    expect(estimates.map(({ estimate }: { estimate: { places: number } }) => estimate.places)).toEqual([1_000, 2])
    const create = ['jobs', 'create', ...from.slice(0, 4), '--json']
    const { ids } = JSON.parse((await placefleet([...create, '--idempotency-key', 'k'], env())).out)
    expect(JSON.parse((await placefleet([...create, '--idempotency-key', 'k'], env())).out)).toEqual({ ids })
    for (const id of ids) await placefleet(['jobs', 'watch', id], env())

    const watched = await placefleet(['monitors', 'create', ...from.slice(0, 4), '--every', '7d', '--json'], env())
    const monitors: { id: string; name: string }[] = JSON.parse(watched.out)
    expect(monitors.map(({ name }) => name)).toEqual(['shops (1 of 2)', 'shops (2 of 2)'])
    const { job_id } = JSON.parse((await placefleet(['monitors', 'run', String(monitors[1]?.id), '--json'], env())).out)
    expect(JSON.parse((await placefleet(['jobs', 'watch', job_id, '--json'], env())).out)).toMatchObject({
      data: { places: keys.slice(1_000) },
      result_count: 2,
    })
    const inputs = JSON.parse((await placefleet(['jobs', 'inputs', job_id, '--json'], env())).out)
    expect(inputs).toMatchObject(keys.slice(1_000).map((input) => ({ input, status: 'stored' })))
    expect((await placefleet(['jobs', 'inputs', job_id], env())).out).toMatch(/input .*status .*result/)
    for (const { id } of monitors) await placefleet(['monitors', 'delete', id], env())
  })

  test('completes commands and options as the scripts for shells ask', async () => {
    const main = join(ROOT, 'coordinator', 'clients', 'cli', 'main.ts')
    const program = (...args: string[]) => run(process.execPath, [main, ...args], { env: { ...COMPILE_CACHE } })
    const [script, commands, options] = await Promise.all([
      program('completion', 'bash'),
      program('complete', '--', 'webhooks', ''),
      program('complete', '--', 'export', '--'),
    ])
    expect(script.stdout).toContain('placefleet complete --')
    expect(commands.stdout).toMatch(/^list\t(.*\n)+listen\t.*\ntrigger\t/)
    expect(options.stdout).toContain('--format\t')
  })

  test('creates a key, logs in with it, and fails once it is revoked', async () => {
    const made = JSON.parse((await placefleet(['keys', 'create', '--name', 'cli', '--day', '5', '--json'], env())).out)
    const HOME = join(dir, 'home')
    const login = ['login', '--url', url, '--key', '-']

    expect(await placefleet(login, { HOME }, `${made.key}\n`)).toMatchObject({ code: 0 })
    expect((await placefleet(['credits'], { HOME })).out).toContain('balance')
    // The stored key is sent to no other address.
    expect(await placefleet(['credits'], { HOME, PLACEFLEET_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 3 })
    expect(await placefleet(['keys', 'revoke', made.id], { HOME })).toMatchObject({ code: 0 })
    expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 3, out: '' })
    expect(await placefleet(['logout'], { HOME })).toMatchObject({ code: 0 })
    expect(await placefleet(['credits'], { HOME, PLACEFLEET_URL: url })).toMatchObject({ code: 3 })
  })
})

describe('webhooks on a local receiver', () => {
  test('are sent the end of each job while `listen` runs, and an example by `trigger`, all signed', async () => {
    const ctrlC = new AbortController()
    const { url: receiver, next } = await verifyingReceiver()
    const { jobs } = new Placefleet({ url, apiKey: API_KEY })
    const listen = ['webhooks', 'listen', '--forward-to', receiver, '--events', 'job.completed', '--json']
    const listening = placefleet([...listen, '--secret', SECRET], env(), undefined, ctrlC.signal)

    // The first jobs may end before `listen` has begun.
    let heard: WebhookEvent | undefined
    const hearing = next().then((event) => {
      heard = event
    })
    for (let n = 0; heard === undefined; n++) {
      await jobs.run({ name: `heard ${n}`, keywords: ['cafe'], language: 'en' })
      await Promise.race([hearing, sleep(100)])
    }
    ctrlC.abort()
    const { code, out } = await listening

    const event = { event_type: 'job.completed', job_name: expect.stringMatching(/^heard/), result_count: 5 }
    expect(heard).toMatchObject(event)
    expect(code).toBe(0)
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ event, ok: true, status: 204 })

    const example = next()
    const trigger = ['webhooks', 'trigger', 'job.failed', '--forward-to', receiver]
    expect(await placefleet([...trigger, '--secret', SECRET], env())).toMatchObject({ code: 0 })
    expect(await example).toMatchObject({ event_type: 'job.failed', status: 'failed', result_count: 0 })
    // The secret that is made and kept is another one.
    expect(await placefleet(trigger, env())).toMatchObject({ code: 1, out: '', err: expect.stringContaining('400') })
  })
})

const SECRET = newSigningSecret()

/** Returns a receiver that takes only what is signed with the secret. */
async function verifyingReceiver() {
  const events = new EventEmitter()
  const { url } = await serve(async (request, response) => {
    const delivery = { body: await text(request), headers: request.headers, secret: SECRET }
    const event = await verifyWebhook(delivery).catch(() => undefined)
    response.writeHead(event ? 204 : 400).end()
    if (event) events.emit('event', event)
  })
  return { url, next: async (): Promise<WebhookEvent> => (await once(events, 'event'))[0] }
}

describe('MCP at /mcp', () => {
  test.each([
    ['of the present protocol', connectModern],
    ['of the protocols before', connectLegacy],
  ])('a client %s estimates, creates, awaits and reads a job', async (protocol, connect) => {
    const client = await connect(API_KEY)
    const call = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { structuredContent, isError = false } = await client.callTool({ name, arguments: args })
      return { ...z.record(z.string(), z.unknown()).parse(structuredContent ?? {}), isError }
    }
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS)

    expect(await call('find_town', { search: 'limassol' })).toMatchObject({
      isError: false,
      towns: [{ name: 'Limassol', country: 'CY', lat: expect.stringMatching(/^34\.\d+$/) }],
    })
    const order = { name: `by MCP ${protocol}`, keywords: ['cafe'], language: 'en', max_results: 30 }
    expect(await call('estimate_job', order)).toMatchObject({
      isError: false,
      next_step: expect.stringContaining('create_job'),
    })
    expect(await call('create_job', order)).toMatchObject({ isError: true })
    expect(await call('create_job', { ...order, max_cost: '0.001' })).toMatchObject({ isError: true, code: 402 })
    const { job_id } = await call('create_job', { ...order, max_cost: '0.5' })
    await call('get_job', { job_id, wait: 45 })
    const ended = await call('get_job', { job_id, wait: 45 })
    expect(ended).toMatchObject({ job: { status: 'completed' }, summary: expect.stringContaining('5 places') })
    expect(await call('get_places', { job_id, limit: 2 })).toMatchObject({
      total: 5,
      places: [{ title: titles[0] }, {}],
    })
    const { url: link } = await call('export_link', { job_id })
    const file = await fetch(z.url().parse(link))
    expect([file.status, (await file.text()).trimEnd().split('\r\n').length]).toEqual([200, 6])
    expect(await call('list_jobs', { search: 'by MCP' })).toMatchObject({
      jobs: expect.arrayContaining([expect.objectContaining({ job_id })]),
    })
    expect(await call('cancel_job', { job_id })).toMatchObject({ isError: true, code: 409 })
    expect(await call('get_coverage', { job_id })).toMatchObject({ isError: false })
    const job = { ...order, max_cost: '0.5' }
    const watch = { name: `watched ${protocol}`, job, schedule: { every: '12h' } }
    const { monitor_id } = await call('create_monitor', watch)
    expect(await call('create_monitor', watch)).toMatchObject({ monitor_id, replayed: true })
    const run = await call('run_monitor', { monitor_id })
    expect(await call('get_job', { job_id: run.job_id, wait: 45 })).toMatchObject({ isError: false })
    expect(await call('monitor_changes', { monitor_id })).toMatchObject({ isError: false, has_more: false })
    expect(await call('list_monitors', {})).toMatchObject({
      monitors: expect.arrayContaining([expect.objectContaining({ id: monitor_id })]),
    })
    expect(await call('create_job', { ...order, max_cost: '1', lat: '1' })).toMatchObject({
      isError: true,
      code: 400,
      details: [{ path: 'lon' }],
    })
    expect(await call('create_job', { ...order, max_cost: '1', max_result: 1 })).toMatchObject({ isError: true })
    const { keywords: _, ...others } = order
    const named = { ...others, name: `named ${protocol}`, places: ['0x1:0x3', '0x1:0x3', '0x2:0x3'] }
    expect(await call('estimate_job', named)).toMatchObject({ places: 3 })
    const { job_id: of_places } = await call('create_job', { ...named, max_cost: '0.5' })
    await new Placefleet({ url, apiKey: API_KEY }).jobs.wait(String(of_places))
    expect(await call('get_inputs', { job_id: of_places, limit: 2 })).toMatchObject({
      inputs: [{ status: 'stored' }, { status: 'duplicate' }],
      total: 3,
      after: 2,
      next_step: 'Call get_inputs with after: 2.',
    })
    expect(await call('get_inputs', { job_id: of_places, after: 2 })).toMatchObject({ inputs: [{ input: '0x2:0x3' }] })
    expect(await call('get_inputs', { job_id })).toMatchObject({ total: 0, inputs: [] })
    expect(await call('get_inputs', { job_id: crypto.randomUUID() })).toMatchObject({ isError: true, code: 404 })
    expect(await call('get_balance', {})).toMatchObject({ credit_balance: expect.stringMatching(/^9\d\d\./) })
    await client.close()
  })

  test('a call without a key is refused, and errors of the API are readable answers', async () => {
    await expect(connectLegacy('svc_wrong')).rejects.toThrow()
    await expect(connectModern('svc_wrong')).rejects.toThrow()
    const stranger = await fetch(`${url}/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(stranger.status).toBe(401)
    const client = await connectLegacy(API_KEY)
    const job_id = crypto.randomUUID()
    const { isError, structuredContent } = await client.callTool({ name: 'get_job', arguments: { job_id, wait: 0 } })
    expect({ isError, structuredContent }).toMatchObject({
      isError: true,
      structuredContent: { code: 404, error: 'not_found' },
    })
    const { _id: owner } = (await findUserByEmail(world.db, 'owner@example.com')) ?? expect.fail('there is no owner')
    const failed = sampleJob(owner, { status: 'failed' })
    await jobsOf(world.db).insertOne(failed)
    const places = await client.callTool({ name: 'get_places', arguments: { job_id: failed._id } })
    expect(places).toMatchObject({ isError: true, structuredContent: { error: 'job_failed' } })
    await client.close()
  })
})

const TOOLS = [
  'find_town',
  'estimate_job',
  'create_job',
  'get_job',
  'list_jobs',
  'cancel_job',
  'get_balance',
  'list_monitors',
  'create_monitor',
  'run_monitor',
  'monitor_changes',
  'get_places',
  'get_inputs',
  'export_link',
  'get_coverage',
]

const mcpOptions = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } })

async function connectModern(key: string) {
  const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new ModernTransport(new URL('/mcp', url), mcpOptions(key)))
  expect(client.getProtocolEra()).toBe('modern')
  return client
}

async function connectLegacy(key: string) {
  const client = new LegacyClient({ name: 'test', version: '1' })
  await client.connect(new LegacyTransport(new URL('/mcp', url), mcpOptions(key)))
  return client
}
