import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { PROGRAMS } from '../../bin/programs.mjs'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { until } from '../harness/until.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const SHIPPED = `node-${process.platform}-${process.arch}`

/** A program that says what it is, and then what happens to it. */
const PROGRAM = `
const { pid, ppid, execPath, execArgv, argv, env } = process
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log(signal))
process.on('SIGTERM', () => process.exit(7))
console.log(JSON.stringify({ pid, ppid, execPath, execArgv, args: argv.slice(2), arenas: env.MALLOC_ARENA_MAX }))
if (argv[2] === 'exit') process.exit(Number(argv[3]))
setInterval(() => {}, 1_000)
`

/**
 * A copy of the launcher over a small program, which stands for the agent, and a Node in node_modules that npm did not
 * link.
 */
function installation({ hasNode = true } = {}): string {
  const root = temporaryDir()
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true })
  const { main } = PROGRAMS.agent
  mkdirSync(dirname(join(root, main)), { recursive: true })
  writeFileSync(join(root, main), PROGRAM)
  const shipped = join(root, 'node_modules', SHIPPED)
  if (hasNode) {
    mkdirSync(join(shipped, 'bin'), { recursive: true })
    symlinkSync(process.execPath, join(shipped, 'bin', 'node'))
    writeFileSync(join(shipped, 'package.json'), JSON.stringify({ bin: { node: 'bin/node' } }))
  }
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  return root
}

/** What makes the Node of this test look like another version, which cannot replace its process either. */
const asVersion = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}});process.execve=undefined`,
]

const NODES = [
  ['a Node that replaces itself', []],
  ['Node 20, which cannot', asVersion('20.20.2')],
] as const

const Started = z.object({
  pid: z.number(),
  ppid: z.number(),
  execPath: z.string(),
  execArgv: z.array(z.string()),
  args: z.array(z.string()),
  arenas: z.string(),
})

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Starts the agent of an installation by its launcher, and reads the first line that it prints. */
async function start(
  root: string,
  node: readonly string[],
  { args = [] as string[], env = {}, parent = [] as string[] } = {},
) {
  const [program = '', ...first] = [...parent, process.execPath]
  const child = spawn(program, [...first, ...node, join(root, 'bin/run.mjs'), 'agent', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  const started = Started.parse(JSON.parse(line))
  onTestFinished(() => {
    child.kill('SIGKILL')
    if (isAlive(started.pid)) process.kill(started.pid, 'SIGKILL')
  })
  const printed: string[] = []
  lines.on('line', (text) => printed.push(text))
  return { child, started, printed }
}

const endOf = (child: ChildProcess) => once(child, 'exit')

test.each(NODES)('%s starts a program with its flags, its variables and the arguments', async (_name, node) => {
  const { started } = await start(installation(), node, { args: ['a', '-b c'] })
  expect(started.args).toEqual(['a', '-b c'])
  expect(started.execArgv).toEqual(expect.arrayContaining([...PROGRAMS.agent.flags]))
  expect(started.arenas).toBe(PROGRAMS.agent.env.MALLOC_ARENA_MAX)
})

test('a variable that the caller has set wins', async () => {
  const { started } = await start(installation(), [], { env: { MALLOC_ARENA_MAX: '5' } })
  expect(started.arenas).toBe('5')
})

test('where the launcher can replace itself, no second process stays', async () => {
  const { child, started } = await start(installation(), [])
  expect(started.pid).toBe(child.pid)
})

test.each(NODES.flatMap(([name, node]) => [0, 1, 130].map((code) => [name, code, node] as const)))(
  '%s ends with exit code %i of its program',
  async (_name, code, node) => {
    const { child } = await start(installation(), node, { args: ['exit', `${code}`] })
    expect(await endOf(child)).toEqual([code, null])
  },
)

test.each(NODES)('%s passes each signal on once, and ends as its program ends', async (_name, node) => {
  const { child, printed } = await start(installation(), node)
  child.kill('SIGINT')
  child.kill('SIGHUP')
  await until('both arrived', () => printed.length >= 2)
  child.kill('SIGTERM')
  expect(await endOf(child)).toEqual([7, null])
  expect(printed.sort()).toEqual(['SIGHUP', 'SIGINT', 'SIGTERM'])
})

test.each(NODES)('%s ends by the signal that ended its program', async (_name, node) => {
  const { child, started } = await start(installation(), node)
  process.kill(started.pid, 'SIGKILL')
  expect(await endOf(child)).toEqual([null, 'SIGKILL'])
})

test('a launcher that is killed leaves no program behind', async () => {
  const { child, started } = await start(installation(), asVersion('20.20.2'))
  expect(started.pid).not.toBe(child.pid)
  child.kill('SIGKILL')
  await until('the program ends', () => !isAlive(started.pid))
})

/** A process that starts its arguments, stays their parent, and forwards nothing. */
const PARENT = [
  process.execPath,
  '-e',
  "require('child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })",
]

test.each(NODES)('%s: an npm that is killed leaves no program behind', async (_name, node) => {
  const env = { npm_lifecycle_event: 'agent' }
  const { child, started } = await start(installation(), node, { parent: PARENT, env })
  child.kill('SIGKILL')
  await until('the program ends', () => !isAlive(started.pid))
})

test('a program that was started without npm outlives its shell', async () => {
  const { child, started } = await start(installation(), [], { parent: PARENT })
  child.kill('SIGKILL')
  await endOf(child)
  await until(
    'it has another parent',
    () => !readFileSync(`/proc/${started.pid}/status`, 'utf8').includes(`PPid:\t${child.pid}\n`),
  )
  process.kill(started.pid, 'SIGHUP') // answered only by a program that lives
  expect(isAlive(started.pid)).toBe(true)
})

const run = (root: string, node: readonly string[], ...args: string[]) =>
  spawnSync(process.execPath, [...node, join(root, 'bin/run.mjs'), ...args], { encoding: 'utf8' })

test.each(['20.20.2', '22.17.9', '23.5.0'])('Node %s without the Node of npm is refused with what to do', (version) => {
  const { status, stderr } = run(installation({ hasNode: false }), asVersion(version), 'agent', 'exit', '0')
  expect(status).toBe(2)
  expect(stderr).toMatch(
    new RegExp(`^Placefleet needs Node 22\\.18 or newer; this is Node ${version}\\. Install Node 24, or .*npm ci.*\n$`),
  )
})

test.each(['22.18.0', '23.6.0', '24.0.0'])('Node %s is used where npm installed none', (version) => {
  expect(run(installation({ hasNode: false }), asVersion(version), 'agent', 'exit', '3').status).toBe(3)
})

test.each([[], ['agnet']])('without a known program the launcher names all of them', (...args) => {
  const { status, stderr } = run(ROOT, [], ...args)
  expect(status).toBe(2)
  expect(stderr).toContain('Usage: node bin/run.mjs PROGRAM')
  for (const name of Object.keys(PROGRAMS)) expect(stderr).toContain(name)
})

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const units = globSync(join(ROOT, 'deploy/systemd/*.service')).map((file) => readFileSync(file, 'utf8'))

test.each([
  ['npm scripts', [read('package.json')], /node bin\/run\.mjs ([\w:-]+)/g],
  ['units', units, /^ExecStart=\/usr\/bin\/env node bin\/run\.mjs ([\w:-]+)/gm],
  [
    'images',
    [read('deploy/images/Dockerfile')],
    /^ENTRYPOINT \["tini", "--", "node", "bin\/run\.mjs"\]\nCMD \["([\w:-]+)"\]$/gm,
  ],
])('the %s start programs of the table', (_where, files, command) => {
  const names = files.flatMap((text) => [...text.matchAll(command)].map(([, name]) => name))
  expect(names.length).toBeGreaterThan(3)
  expect(Object.keys(PROGRAMS)).toEqual(expect.arrayContaining(names))
})

test('every program of the table exists', () => {
  for (const { main } of Object.values(PROGRAMS)) expect(globSync(join(ROOT, main)), main).toHaveLength(1)
})
