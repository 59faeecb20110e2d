import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { buildPython } from '@placefleet/deploy/packages/python'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { API_KEY, addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { unlessLacking } from '../harness/needs.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { installPackages, program, run } from './packages.ts'

const SOURCES = join(ROOT, 'coordinator/clients/python')

/** The versions of Python that the package is for, and those of them that this machine has. */
const PYTHONS = ['3.11', '3.12', '3.13', '3.14']
const isThere = async (version: string) =>
  run(`python${version}`, ['--version']).then(
    () => [version],
    () => [],
  )
const here = (await Promise.all(PYTHONS.map(isThere))).flat()

const titles = [0, 1, 2, 3, 4].map((n) => placeOf(n).title)

/** A folder outside the repository. */
const folder = temporaryDir(afterAll)

const world = await startWorld(afterAll)
const { url, grpc } = await addCoordinator(world)
await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))

// The rest of the environment tells pip which index to use.
const env = { ...process.env, PLACEFLEET_URL: url, PLACEFLEET_API_KEY: API_KEY, WEBHOOK_SECRET: 'whsec_c2VjcmV0' }
const inFolder = { cwd: folder, env }

let wheel = ''
let sdist = ''

beforeAll(async () => {
  await installPackages()
  const built = await buildPython(folder)
  wheel = built.wheel
  sdist = built.sdist
  await run(program('pip'), ['install', '--quiet', '--force-reinstall', '--no-deps', wheel])
  for (const [index, code] of examples().entries()) writeFileSync(join(folder, `example_${index}.py`), code)
})

/** The examples of the page, in their order. */
const examples = (): string[] =>
  [...readFileSync(join(SOURCES, 'README.md'), 'utf8').matchAll(/```python\n(.*?)```/gs)].map(([, code = '']) => code)

/** Installs a package into an environment of its own, and returns its Python. */
async function environmentWith(version: string, name: string, what: string): Promise<string> {
  const environment = join(folder, name)
  await run(`python${version}`, ['-m', 'venv', environment], inFolder)
  await run(join(environment, 'bin/pip'), ['install', '--quiet', what], inFolder)
  return join(environment, 'bin/python')
}

for (const version of PYTHONS) {
  unlessLacking(`Python ${version}`, here.includes(version)).test(
    `every example of the page runs with the wheel on Python ${version}`,
    async () => {
      const python = await environmentWith(version, `python-${version}`, `${wheel}[pandas]`)
      const outputs: string[][] = []
      for (const index of examples().keys()) {
        const { stdout } = await run(python, [`example_${index}.py`], inFolder)
        outputs.push(stdout.trim().split('\n'))
      }
      const [ran, followed, asynchronous, lists, errors, webhooks] = outputs
      expect(ran?.filter((line) => !line.endsWith(' places'))).toEqual([
        'completed 0.022000',
        ...titles.map((title) => `${title} none`),
      ])
      expect(followed).toEqual(titles)
      expect(asynchronous).toEqual(titles)
      expect(lists?.join('\n')).toMatch(/title +rating.*52\.\d+ 13\.\d+/s)
      expect(readFileSync(join(folder, 'places.csv'), 'utf8').trim().split('\r\n')).toHaveLength(6)
      expect(errors).toEqual(['no such job'])
      expect(webhooks).toEqual([''])
      expect(outputs).toHaveLength(6)
    },
  )
}

test('the sdist builds and installs, and brings only httpx', async () => {
  const [version = ''] = here
  const python = await environmentWith(version, 'from-sdist', sdist)
  const { stdout } = await run(python, ['-c', 'import placefleet; print(placefleet.__version__)'], inFolder)
  expect(stdout).toBe('0.1.0\n')
  const metadata = await run(python, ['-m', 'pip', 'show', 'placefleet'], inFolder)
  expect(metadata.stdout).toMatch(/^Requires: httpx$/m)
})

test('the wheel holds its types, and a program over it type-checks strictly', async () => {
  const { stdout } = await run(program('python'), ['-m', 'zipfile', '--list', wheel])
  expect(stdout).toMatch(/placefleet\/py\.typed/)
  await run(program('mypy'), ['placefleet'], { cwd: SOURCES })
  const files = readdirSync(folder).filter((name) => /^example_\d+\.py$/.test(name))
  const checked = ['--strict', '--allow-untyped-defs', '--allow-untyped-calls', ...files]
  await run(program('mypy'), ['--python-executable', program('python'), ...checked], inFolder)
})

test('the sources are formatted, and the linter finds nothing', async () => {
  await run(program('ruff'), ['check', '.'], { cwd: SOURCES })
  await run(program('ruff'), ['format', '--check', '.'], { cwd: SOURCES })
})

test('its rules of errors, retries, streams, webhooks and tables hold', async () => {
  const tests = join(import.meta.dirname, 'client')
  const { stdout } = await run(program('pytest'), ['-q', '-p', 'no:cacheprovider', tests], inFolder)
  expect(stdout).toMatch(/\d+ passed/)
  expect(stdout).not.toMatch(/skipped|warning/)
})
