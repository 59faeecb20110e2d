import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { canHaveSmallDisk, createSmallDisk, MOUNTS } from '../../harness/small-disk.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'
import { HEADER, writeFilter } from './system-call-filter.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const SYSTEMD = join(ROOT, 'deploy/systemd')
const SERVICES = globSync(join(SYSTEMD, '*.service'))
const UNITS = [...SERVICES, ...globSync(join(SYSTEMD, '*.timer'))]

/** The exposure that `systemd-analyze security` may find at most; 10 is none hardened. */
const MOST_EXPOSURE = 2.5

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

unlessLacking('systemd-analyze', hasSystemd).describe('the systemd units', () => {
  test.each([
    ['one host', false],
    ["a coordinator's host", true],
  ])('are valid for systemd-analyze verify on %s', (_host, withDropIns) => {
    const dir = temporaryDir()
    mkdirSync(dir, { recursive: true })
    for (const unit of UNITS) {
      const text = readFileSync(unit, 'utf8').replaceAll('/opt/placefleet', ROOT)
      writeFileSync(join(dir, basename(unit)), text)
    }
    if (withDropIns)
      for (const dropIn of globSync(join(SYSTEMD, '*.d')))
        cpSync(dropIn, join(dir, basename(dropIn)), { recursive: true })
    const units = UNITS.map((unit) => join(dir, basename(unit)))
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })

  test.each(SERVICES.map((unit) => [basename(unit), unit]))('%s is hardened', (_name, unit) => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])
    expect(exposure).toBeLessThanOrEqual(MOST_EXPOSURE)
  })
})

const canLoadFilters = hasSystemd && process.getuid?.() === 0 && process.arch === 'x64' && existsSync(HEADER)

unlessLacking('systemd-analyze, root and linux-libc-dev', canLoadFilters).describe(
  'as nobody, under the filter of',
  () => {
    /** Starts a program of the repository with the filter of system calls of a unit. */
    const startUnder = (unit: string, args: readonly string[], settings: Record<string, string> = {}) => {
      const dir = temporaryDir()
      chmodSync(dir, 0o777)
      const filter = writeFilter(join(SYSTEMD, unit), dir)
      const env = { PATH: process.env.PATH, HOME: dir, TMPDIR: dir, XDG_CACHE_HOME: join(dir, 'cache'), ...settings }
      const launcher = [process.execPath, join(ROOT, 'bin/run.mjs')]
      const wrapped = [join(import.meta.dirname, 'under-filter.py'), filter, ...launcher, ...args]
      return spawn('/usr/bin/python3', wrapped, { cwd: ROOT, env })
    }
    const endOf = async (program: ChildProcessWithoutNullStreams) => {
      const [stdout, stderr, [status]] = await Promise.all([
        text(program.stdout),
        text(program.stderr),
        once(program, 'exit'),
      ])
      return { status, said: stdout + stderr }
    }
    /** Reads lines like `export NAME='value'` until every name has a value. */
    const exportedLines = async (output: Readable, names: readonly string[]) => {
      const values: Record<string, string> = {}
      for await (const line of createInterface({ input: output })) {
        const [, name = '', value = ''] = /^export ([A-Z_]+)='(.*)'$/.exec(line) ?? []
        if (names.includes(name)) values[name] ??= value
        if (Object.keys(values).length === names.length) break
      }
      return values
    }
    const isHealthy = async (port: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined) // it does not listen yet
      return answer?.ok
    }
    const nobodysDir = () => {
      const dir = temporaryDir()
      chmodSync(dir, 0o777)
      return dir
    }
    /** Ends the program after the test. */
    const stoppedAfterTest = (program: ChildProcessWithoutNullStreams) =>
      onTestFinished(async () => {
        const gone = once(program, 'exit')
        if (program.kill('SIGTERM')) await gone
      })

    /** A folder of programs without a Chromium. */
    const withoutChromium = () => {
      const dir = nobodysDir()
      for (const program of ['ldd', 'bash', 'cat']) symlinkSync(join('/usr/bin', program), join(dir, program))
      return dir
    }
    test.each([
      ['placefleet-agent.service', 'on the PATH', () => process.env.PATH ?? ''],
      ['placefleet-agent.service', 'of npm', withoutChromium],
      ['placefleet.service', 'of npm', withoutChromium],
    ])('%s, the Chromium %s draws a page in its sandbox', async (unit, _which, path) => {
      const { status, said } = await endOf(startUnder(unit, ['doctor:chromium'], { PATH: path() }))
      expect(said).toContain('on, and it works')
      expect(status).toBe(0)
    })

    test('placefleet.service, the whole product starts', async () => {
      const DATA_DIR = nobodysDir()
      const ports = { PORT: `${await freePort()}`, GRPC_PORT: `${await freePort()}` }
      stoppedAfterTest(startUnder('placefleet.service', ['start'], { DATA_DIR, ...ports }))
      await until('the service has started', () => existsSync(join(DATA_DIR, 'sign-in-link')), 60_000)
    })

    test('placefleet-coordinator.service and placefleet-backup.service, a coordinator starts and its database is backed up', async () => {
      const services = startUnder('placefleet.service', ['services'], { DATA_DIR: nobodysDir() })
      stoppedAfterTest(services)
      const port = `${await freePort()}`
      const addresses = await exportedLines(services.stdout, ['MONGODB_URL', 'NATS_URL', 'SECRETS_KEY', 'AGENT_TOKEN'])
      const settings = { ...addresses, PORT: port, GRPC_PORT: `${await freePort()}` }
      stoppedAfterTest(startUnder('placefleet-coordinator.service', ['coordinator'], settings))
      await until('the coordinator is ready', () => isHealthy(port), 60_000)

      const into = nobodysDir()
      const backup = ['ops', 'backup', '--into', into]
      expect(await endOf(startUnder('placefleet-backup.service', backup, settings))).toMatchObject({ status: 0 })
      expect(readdirSync(into)).toHaveLength(1)
    })
  },
)

unlessLacking(MOUNTS, canHaveSmallDisk()).test(
  "on one host, the page's line for `ops` reaches the service from outside its private /tmp",
  async () => {
    const [dataDir, privateTmp] = [temporaryDir(), temporaryDir()]
    const unit = readFileSync(join(SYSTEMD, 'placefleet.service'), 'utf8')
    const [program = '', ...args] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '')
      .replaceAll('/opt/placefleet', ROOT)
      .split(' ')
    const { command, args: wrapped } = createSmallDisk(privateTmp).wrap(program, args)
    const ports = { PORT: `${await freePort()}`, GRPC_PORT: `${await freePort()}` }
    const env = { ...process.env, ...ports, TMPDIR: privateTmp, DATA_DIR: dataDir }
    const service = spawn(command, wrapped, { cwd: ROOT, env, stdio: 'ignore' })
    onTestFinished(async () => {
      const gone = once(service, 'exit')
      if (service.kill('SIGTERM')) await gone
    })
    await until('the service has started', () => existsSync(join(dataDir, 'sign-in-link')), 60_000)

    const line = /^DATA_DIR=\/var\/lib\/placefleet (npm run ops -- doctor)$/m
    const [, ops = ''] = line.exec(readFileSync(join(SYSTEMD, 'README.md'), 'utf8')) ?? expect.fail('no such line')
    const outside = { ...process.env, DATA_DIR: dataDir }
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', ops], { cwd: ROOT, env: outside, encoding: 'utf8' })
    expect(stdout + stderr).toContain('MongoDB     answers and accepts writes')
  },
  90_000,
)
