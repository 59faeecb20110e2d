import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ROOT } from '@placefleet/deploy/packages/pack'
import { expect, test } from 'vitest'
import { temporaryDir } from '../harness/temporary-dir.ts'

/** Stands for npm, and fails while there is a file `offline`. */
const NPM = `#!/bin/sh
echo "npm $*"
mkdir -p node_modules && touch called
test ! -e offline
`

/** Returns a folder with a lock, and what installs it. */
function folderWithLock() {
  const bin = temporaryDir()
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 })
  const folder = temporaryDir()
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('package-lock.json', '{"packages":{}}')
  return {
    write,
    remove: (file: string) => rmSync(join(folder, file)),
    install() {
      rmSync(join(folder, 'called'), { force: true })
      const env = { PATH: [bin, process.env.PATH].join(delimiter) }
      const command = [join(ROOT, 'bin/install.mjs'), folder]
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' })
      return { status, stdout, stderr, hasCalled: existsSync(join(folder, 'called')) }
    },
  }
}

test('a folder with a lock of its own is installed once, and again when its lock is another one', () => {
  const { install, write } = folderWithLock()
  expect(install()).toMatchObject({ stdout: '', stderr: expect.stringContaining('npm ci'), hasCalled: true })
  expect(install()).toEqual({ status: 0, stdout: '', stderr: '', hasCalled: false })
  write('package-lock.json', '{"packages":{"":{}}}')
  expect(install().hasCalled).toBe(true)
})

test('an installation that failed begins again', () => {
  const { install, write, remove } = folderWithLock()
  write('offline', '')
  expect(install().status).not.toBe(0)
  remove('offline')
  expect(install()).toMatchObject({ status: 0, hasCalled: true })
})
