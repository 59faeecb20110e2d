import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@placefleet/client'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { COMPILE_CACHE } from '../harness/servers/run-program.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CLIENT = join(ROOT, 'coordinator', 'clients', 'typescript')
const run = promisify(execFile)

/** One deployment for all clients, whose agent finds five places for each keyword. */
const deployment = { url: '', dir: '' }
const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)
const env = () => ({ PLACEFLEET_URL: deployment.url, PLACEFLEET_API_KEY: API_KEY, HOME: deployment.dir })

beforeAll(async () => {
  const world = await startWorld(afterAll)
  const { url, grpc } = await addCoordinator(world)
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-clients-'))
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  Object.assign(deployment, { url, dir })
})

describe('the TypeScript client', () => {
  test('runs a job, with its places and progress', async () => {
    const { jobs } = createClient({ url: deployment.url, apiKey: API_KEY })
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

  test('runs every example of its README, which type-check', async () => {
    const project = join(deployment.dir, 'readme')
    mkdirSync(join(project, 'node_modules', '@placefleet'), { recursive: true })
    symlinkSync(CLIENT, join(project, 'node_modules', '@placefleet', 'client'))
    symlinkSync(join(ROOT, 'node_modules', '@types'), join(project, 'node_modules', '@types'))
    writeFileSync(join(project, 'package.json'), '{"type":"module"}')
    const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    for (const [index, code] of examples.entries()) writeFileSync(join(project, `example-${index}.ts`), code)
    const config = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts'], exclude: [] }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))

    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const compiled = run(process.execPath, [tsc, '--project', project]).catch(({ stdout }) => expect(stdout).toBe(''))
    const runs = examples.map((_, index) =>
      run(process.execPath, [`example-${index}.ts`], { cwd: project, env: { ...COMPILE_CACHE, ...env() } }),
    )
    const [first, second] = await Promise.all(runs)
    await compiled

    expect(first?.stdout.split('\n').slice(0, 2)).toEqual(['completed 0.022000', `${titles[0]} none`])
    expect(second?.stdout.trim().split('\n')).toEqual(titles)
  })
})

describe('the command line', () => {
  test('runs a job as a program: data on stdout, words on stderr, the file where it was asked for', async () => {
    const main = join(ROOT, 'coordinator', 'clients', 'cli', 'main.ts')
    const csv = join(deployment.dir, 'places.csv')
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
    expect(await json('places', id, '--limit', '2')).toHaveLength(2)
    expect((await placefleet(['places', id, '--follow'], env())).out.trim().split('\n')).toHaveLength(5)
    const exported = await placefleet(['export', id, '--format', 'jsonl'], env())
    expect(
      exported.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toEqual(titles)
    expect(await json('jobs', 'delete', id)).toEqual({ id, deleted: true })
    expect(await placefleet(['jobs', 'show', id], env())).toMatchObject({ code: 4, out: '' })
  })

  test('makes a key, logs in with it, and stops once it is revoked', async () => {
    const made = JSON.parse((await placefleet(['keys', 'create', '--name', 'cli', '--json'], env())).out)
    const HOME = join(deployment.dir, 'home')
    const login = ['login', '--url', deployment.url, '--key', '-']

    expect(await placefleet(login, { HOME }, `${made.key}\n`)).toMatchObject({ code: 0 })
    expect((await placefleet(['credits'], { HOME })).out).toContain('balance')
    // The stored key is sent to no other address.
    expect(await placefleet(['credits'], { HOME, PLACEFLEET_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 3 })
    expect(await placefleet(['keys', 'revoke', made.id], { HOME })).toMatchObject({ code: 0 })
    expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 3, out: '' })
    expect(await placefleet(['logout'], { HOME })).toMatchObject({ code: 0 })
    expect(await placefleet(['credits'], { HOME, PLACEFLEET_URL: deployment.url })).toMatchObject({ code: 3 })
  })
})
