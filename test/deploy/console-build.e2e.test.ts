import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A copy of what the console is built from, with the packages of this checkout and its built console. */
function checkout(): string {
  const root = temporaryDir()
  for (const folder of [
    'bin',
    'shared',
    'coordinator/console',
    'coordinator/clients/typescript',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(ROOT, folder), join(root, folder), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
  const modules = join(root, 'node_modules')
  mkdirSync(join(modules, '@placefleet'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@placefleet' && !name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  for (const [name, folder] of [
    ['shared', 'shared'],
    ['console', 'coordinator/console'],
    ['client', 'coordinator/clients/typescript'],
  ] as const)
    symlinkSync(join(root, folder), join(modules, '@placefleet', name))
  return root
}

test('a change of a file of another folder that the console contains builds it anew, and nothing else does', () => {
  const root = checkout()
  const build = () => {
    execFileSync(process.execPath, [join(root, 'bin/run.mjs'), 'console:build'])
    return readFileSync(join(root, 'coordinator/console/dist/.sources'), 'utf8')
  }
  const before = build()
  expect(before.split('\n')).toEqual(
    expect.arrayContaining(['shared/job-status.ts', 'coordinator/clients/typescript/retry.ts']),
  )
  expect(build()).toBe(before)
  appendFileSync(join(root, 'shared/job-status.ts'), '\n// changed\n')
  expect(build()).not.toBe(before)
})
