import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ROOT, run } from '@placefleet/deploy/packages/pack'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { serve } from '../harness/network/serve.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

/** Each version of Node that the packages support, as npm brings it. */
const NODES = ['20', '22', '24']

/** Tools that no other test needs. They are installed beside the packages, not with the repository. */
const TOOLS = [
  'typescript@7.0.2',
  '@types/node@24.19.2',
  'publint@0.3.25',
  '@arethetypeswrong/cli@0.18.5',
  'vite@8.3.8',
]

const PACKAGES = join(ROOT, 'dist/packages')

/** The tarballs that programs install. The nodes of n8n need n8n beside them (n8n.test.ts). */
const PROGRAMS = /^placefleet-.*\.tgz$/
const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)

/** An empty project outside the repository. */
const project = temporaryDir(afterAll)
const bin = (name: string): string => join(project, 'node_modules/.bin', name)
const nodeOf = (major: string): string => join(project, `node_modules/node-${major}/bin/node`)

const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)
await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
// The rest of the environment tells npm which registry to use.
const env = { ...process.env, XDG_CONFIG_HOME: project, PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY }
const inProject = { cwd: project, env, maxBuffer: 50_000_000 }

beforeAll(async () => {
  await run('npm', ['run', 'build:packages'], { cwd: ROOT })
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const tarballs = readdirSync(PACKAGES).flatMap((file) => (PROGRAMS.test(file) ? [join(PACKAGES, file)] : []))
  const nodes = NODES.map((major) => `node-${major}@npm:node-linux-${process.arch}@${major}`)
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...nodes, ...TOOLS],
    inProject,
  )
})

/** The examples of the client's page, as files of the project. */
function writeExamples(): string[] {
  const page = readFileSync(join(project, 'node_modules/@placefleet/client/README.md'), 'utf8')
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ''], index) => {
    writeFileSync(join(project, `example-${index}.ts`), code)
    return `example-${index}`
  })
}

const compilerOptions = {
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  rootDir: '.',
}

async function compile(options: object): Promise<string> {
  const config = { compilerOptions: { ...compilerOptions, ...options }, include: ['example-*.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  return run(bin('tsc'), ['--project', project], inProject).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe('@placefleet/client as a tarball', () => {
  test.each([
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ])('the examples of its page type-check strictly with module %s', async (module, moduleResolution) => {
    writeExamples()
    expect(await compile({ module, moduleResolution, noEmit: true })).toBe('')
  })

  test.each(NODES)('every example of its page runs on Node %s', async (major) => {
    const examples = writeExamples()
    expect(await compile({ module: 'nodenext', outDir: 'compiled' })).toBe('')
    const outputs: string[] = []
    for (const example of examples) {
      const { stdout } = await run(nodeOf(major), [join('compiled', `${example}.js`)], inProject)
      outputs.push(stdout)
    }
    const [first, second, , fourth] = outputs.map((output) => output.trim().split('\n'))
    expect(first?.slice(0, 2)).toEqual(['completed 0.022000', `${titles[0]} none`])
    expect(second).toEqual(titles)
    expect(fourth).toEqual(['no such job'])
    expect(outputs).toHaveLength(6)
  })

  test('publint and attw find nothing, and vite bundles it for a browser', async () => {
    const tarball = join(PACKAGES, 'placefleet-client-0.1.0.tgz')
    await run(bin('publint'), ['--strict', join(PACKAGES, 'client')], inProject)
    await run(bin('attw'), ['--profile', 'esm-only', tarball], inProject)
    writeFileSync(join(project, 'page.ts'), "import { Placefleet } from '@placefleet/client'\nnew Placefleet()\n")
    writeFileSync(join(project, 'index.html'), '<script type="module" src="/page.ts"></script>')
    await run(bin('vite'), ['build', '--logLevel', 'warn'], inProject)
    const [script = ''] = readdirSync(join(project, 'dist/assets'))
    expect(readFileSync(join(project, 'dist/assets', script), 'utf8')).not.toContain('node:')
  })
})

describe('placefleet as a tarball', () => {
  const program = () => join(project, 'node_modules/placefleet/placefleet.mjs')
  const ownPage = () => readFileSync(join(project, 'node_modules/placefleet/README.md'), 'utf8')

  test.each(NODES)('runs a job and lists it on Node %s', async (major) => {
    const placefleet = (...args: string[]) => run(nodeOf(major), [program(), ...args], inProject)
    expect((await placefleet('--version')).stdout).toBe('0.1.0\n')
    const { stdout } = await placefleet('run', 'bakery', '--max', '4', '--json', '--yes')
    expect(JSON.parse(stdout)).toMatchObject({ job: { status: 'completed', result_count: 4 } })
    const listed = await placefleet('jobs', '--limit', '1', '--columns', 'name,status', '--json')
    expect(JSON.parse(listed.stdout)).toEqual([{ name: 'bakery', status: 'completed' }])
  })

  test.each(NODES)('serves its tools to an assistant over stdin and stdout on Node %s', async (major) => {
    const client = new Client({ name: 'test', version: '1' })
    const own = { PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY }
    await client.connect(new StdioClientTransport({ command: nodeOf(major), args: [program(), 'mcp'], env: own }))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_job')
    const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} })
    expect(structuredContent).toMatchObject({ next_step: expect.any(String) })
  })

  test('every command of its page has a help, and no other one is there', async () => {
    const named = [...ownPage().matchAll(/^\| ((?:`[a-z-]+[^`]*`,? ?)+)\|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([a-z-]+)/g)].map(([, command = '']) => command),
    )
    const { stdout } = await run(process.execPath, [program(), '--help'], inProject)
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, command]) => command)
    expect(named.toSorted()).toEqual(listed.filter((command) => command !== 'help').toSorted())
    for (const command of named) await run(process.execPath, [program(), command, '--help'], inProject)
  })

  test('every shell line of its page works after an installation for the whole machine', async () => {
    const prefix = temporaryDir()
    await run('npm', ['install', '--global', '--prefix', prefix, join(PACKAGES, 'placefleet-0.1.0.tgz')], inProject)
    const shell = { ...inProject, env: { ...env, PATH: `${join(prefix, 'bin')}:${process.env.PATH}` } }
    const bash = (line: string) => run('bash', ['-c', line], shell)
    const received: string[] = []
    const hook = await serve((request, response) => {
      received.push(String(request.headers['webhook-id']))
      response.end()
    })
    const here = (line: string) => line.replace('http://localhost:3000', hook.url)
    const listening = async (line: string) => {
      const listener = spawn('bash', ['-c', `exec ${here(line)}`], shell)
      onTestFinished(() => void listener.kill())
      await once(listener.stderr, 'data') // it says that it listens
      await bash('placefleet run bakery --max 1 --yes')
      await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
    }
    const lines: Record<string, (line: string) => Promise<unknown>> = {
      'placefleet login': () => bash(`echo ${API_KEY} | placefleet login --key -`),
      'placefleet run "bakery in Berlin" --max 100 --csv places.csv': async (line) => {
        await bash(`${line} --yes`)
        expect(readFileSync(join(project, 'places.csv'), 'utf8')).toContain(titles[4])
      },
      'npm install --global placefleet': async () => expect((await bash('which placefleet')).stdout).toContain(prefix),
      'source <(placefleet completion bash)': (line) => bash(`${line} && complete -p placefleet`),
      'placefleet webhooks listen --forward-to http://localhost:3000/hook': listening,
      'placefleet webhooks trigger job.completed --forward-to http://localhost:3000/hook': async (line) => {
        const before = received.length
        await bash(here(line))
        expect(received.length).toBe(before + 1)
      },
    }
    const onPage = [...ownPage().matchAll(/```sh\n(.*?)```/gs)].flatMap(([, code = '']) => code.trim().split('\n'))
    const plain = onPage.map((line) => line.replace(/\s+#.*/, ''))
    expect(plain).toEqual(Object.keys(lines))
    for (const line of plain) await lines[line]?.(line)
  }, 120_000)

  test('npx runs it, and it brings no other package', async () => {
    expect((await run('npx', ['placefleet', '--version'], inProject)).stdout).toBe('0.1.0\n')
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/placefleet/package.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('dependencies')
    await run(bin('publint'), ['--strict', join(PACKAGES, 'placefleet')], inProject)
  })
})
