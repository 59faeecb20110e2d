import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { lockDataDir, socketDir } from '@placefleet/deploy/embedded/data-dir'
import { privateDir } from '@placefleet/shared/private-dir'
import { expect, onTestFinished, test, vi } from 'vitest'
import { unlessLacking } from '../harness/needs.ts'
import { runProgram } from '../harness/servers/run-program.ts'
import { temporaryDir } from '../harness/temporary-dir.ts'
import { volume } from '../harness/volume.ts'

const MODULE = resolve(import.meta.dirname, '../../deploy/embedded/data-dir.ts')

test('the directory is made for this user alone', () => {
  const lock = lockDataDir(join(temporaryDir(), 'a', 'data'))
  onTestFinished(lock.release)
  expect(statSync(lock.path).mode & 0o777).toBe(0o700)
})

test('a directory has one owner, under any of its paths, until the owner releases it', () => {
  const dir = temporaryDir()
  const other = join(temporaryDir(), 'link')
  symlinkSync(dir, other)
  const lock = lockDataDir(dir)
  expect(() => lockDataDir(other)).toThrow(`${dir} is in use by another instance (process ${process.pid})`)
  lock.release()
  lock.release()
  lockDataDir(other).release()
})

test('an owner that is killed with -9 leaves no lock', async () => {
  const dir = temporaryDir()
  const program = `import { lockDataDir } from ${JSON.stringify(MODULE)}
    lockDataDir(process.argv[1]); console.log('locked'); setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program, dir])
  await once(owner.stdout, 'data')
  expect(() => lockDataDir(dir)).toThrow(`process ${owner.pid}`)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  writeFileSync(join(dir, 'lock.pid'), `${process.ppid}\n`) // as if the id had been given to another process
  lockDataDir(dir).release()
})

test('a directory that cannot be made is an error that names it', () => {
  const file = join(temporaryDir(), 'file')
  writeFileSync(file, '')
  expect(() => lockDataDir(join(file, 'data'))).toThrow(join(file, 'data'))
})

test('an unwritable directory is an error that says what to set', () => {
  const dir = temporaryDir()
  mkdirSync(join(dir, 'lock')) // a directory in the place of the lock file cannot be opened for writing, by root either
  expect(() => lockDataDir(dir)).toThrow(/cannot be written: EISDIR.* set DATA_DIR to a directory that is\./)
})

// Node's own recursive mkdir does not return there: the parent is there, and mkdir says that it is not.
const PROGRAMS_WITHOUT_DIRECTORY = [
  ['deploy/services.ts', 'data', { DATA_DIR: '/proc/none/deeper' }],
  ['deploy/services.ts', 'too-long-for-a-socket'.repeat(3), { TMPDIR: '/proc/none' }],
  ['deploy/standalone/main.ts', 'data', { DATA_DIR: '/proc/none' }],
] as const

unlessLacking('Linux', process.platform === 'linux').describe('a program without a directory', () => {
  test.each(PROGRAMS_WITHOUT_DIRECTORY.slice(0, volume(2, 3)))(
    '%s with %s ends with a sentence where no directory can be made: %j',
    async (script, name, where) => {
      const { code, err } = await runProgram(script, [], { DATA_DIR: join(temporaryDir(), name), ...where })
      expect(code).toBe(1)
      expect(err).toMatch(/\/proc\/none.* cannot be (created|made): /)
      expect(err.trim().split('\n')).toHaveLength(1)
    },
    15_000,
  )
})

test('a socket directory that others can enter, or that is a link, is refused', () => {
  const dir = join(temporaryDir(), 'sockets')
  expect(privateDir(dir)).toBe(dir)
  chmodSync(dir, 0o750)
  expect(() => privateDir(dir)).toThrow(`${dir} is open to other users`)
  const link = `${dir}-link`
  symlinkSync(temporaryDir(), link)
  expect(() => privateDir(link)).toThrow(`${link} is not a directory`)
})

unlessLacking('root', process.getuid?.() === 0).test(
  'a socket directory that another user made first is refused',
  () => {
    const dir = join(temporaryDir(), 'sockets')
    mkdirSync(dir, { mode: 0o700 })
    chownSync(dir, 65_534, 65_534)
    expect(() => privateDir(dir)).toThrow(`${dir} belongs to another user`)
  },
)

test('a socket directory is in its data directory, whatever TMPDIR is, and each server has one', () => {
  const dataDir = temporaryDir()
  vi.stubEnv('TMPDIR', temporaryDir())
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(socketDir(dataDir, 'mongo')).toBe(join(dataDir, 'run/mongo'))
  expect(socketDir(dataDir, 'nats')).toBe(join(dataDir, 'run/nats'))
})

test('a data directory with a long path has a short socket directory elsewhere, the same each time', () => {
  const long = join(temporaryDir(), 'x'.repeat(80))
  mkdirSync(long)
  vi.stubEnv('TMPDIR', long)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(tmpdir()).toBe(long)
  const [a, b] = [socketDir(join(long, 'a'), 'mongo'), socketDir(join(long, 'b'), 'mongo')]
  onTestFinished(() => [a, b].forEach((dir) => void rmSync(dir, { recursive: true })))
  expect(a.length).toBeLessThanOrEqual(60)
  expect(a).not.toBe(b)
  expect(socketDir(join(long, 'a'), 'mongo')).toBe(a)
})
