import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { addAgent } from '../harness/agents/agent.ts'
import { placeOf, scriptedCollector } from '../harness/agents/scripted-collector.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../harness/coordinator/world.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom'],
    types: ['node'],
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['*.ts'],
}

/** Returns the generator's types, with its default options. */
const typesOf = async (url: string): Promise<string> => astToString(await openapiTS(new URL(`${url}/openapi.json`)))

/**
 * Creates a customer's project: the types generated from the running API's document, and a program written against
 * them.
 */
async function generateProject(url: string): Promise<string> {
  const project = temporaryDir()
  mkdirSync(join(project, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(project, 'api.ts'), await typesOf(url))
  copyFileSync(join(import.meta.dirname, 'client', 'program.ts.txt'), join(project, 'program.ts'))
  return project
}

/** The compiler's complaints, none when it has none. */
async function compile(project: string): Promise<string> {
  const tsc = join(ROOT, 'test', 'node_modules', 'typescript', 'bin', 'tsc')
  return run(process.execPath, [tsc, '--project', project]).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

test('a client generated from the document type-checks and runs a whole job', async () => {
  const world = await startWorld()
  const { url, grpc } = await addCoordinator(world)
  await addAgent(world, grpc, scriptedCollector({ find: () => [0, 1, 2, 3, 4] }))
  const { key } = await addUser(world.db)
  const project = await generateProject(url)

  expect(await compile(project)).toBe('')

  const env = { PATH: process.env.PATH, BASE_URL: url, API_KEY: key }
  const { stdout } = await run(process.execPath, [join(project, 'program.ts')], { env })
  expect(JSON.parse(stdout)).toEqual({
    status: 'completed',
    titles: [0, 1, 2, 3, 4].map((n) => placeOf(n).title),
    csvLines: 6,
    total: '0.022000', // the start, 0.007, and five places at 0.003
    spent: expect.arrayContaining([expect.stringMatching(/^-0\.0\d{5}$/)]),
    error: { code: 404, message: 'This job does not exist.' },
  })
}, 120_000)
