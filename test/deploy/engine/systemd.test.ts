import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, globSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
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
    const units = UNITS.map((unit) => join(dir, basename(unit)))
    for (const unit of UNITS) {
      writeFileSync(join(dir, basename(unit)), readFileSync(unit, 'utf8').replaceAll('/opt/placefleet', ROOT))
    }
    const dropIns = withDropIns ? globSync(join(SYSTEMD, '*.d')) : []
    for (const dropIn of dropIns) cpSync(dropIn, join(dir, basename(dropIn)), { recursive: true })
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
  })

  test.each(SERVICES.map((unit) => [basename(unit), unit]))('%s is hardened', (_name, unit) => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])
    expect(exposure).toBeLessThanOrEqual(MOST_EXPOSURE)
  })
})

const freePorts = async () => ({ PORT: `${await freePort()}`, GRPC_PORT: `${await freePort()}` })

function stoppedAfterTest<Program extends ChildProcess>(program: Program): Program {
  onTestFinished(async () => {
    const gone = once(program, 'exit')
    if (program.kill('SIGTERM')) await gone
  })
  return program
}

function nobodysDir(): string {
  const dir = temporaryDir()
  chmodSync(dir, 0o777)
  return dir
}

/** Starts a program of the repository as nobody with the filter of system calls of a unit. */
function startUnder(unit: string, args: readonly string[], settings: Record<string, string> = {}) {
  const dir = nobodysDir()
  const filter = writeFilter(join(SYSTEMD, unit), dir)
  const env = { PATH: process.env.PATH, HOME: dir, TMPDIR: dir, XDG_CACHE_HOME: join(dir, 'cache'), ...settings }
  const launcher = [process.execPath, join(ROOT, 'bin/run.mjs')]
  const wrapped = [join(import.meta.dirname, 'under-filter.py'), filter, ...launcher, ...args]
  return spawn('/usr/bin/python3', wrapped, { cwd: ROOT, env })
}

async function endOf(program: ChildProcessWithoutNullStreams) {
  const parts = [text(program.stdout), text(program.stderr), once(program, 'exit')] as const
  const [out, err, [status]] = await Promise.all(parts)
  return { status, said: out + err }
}

/** Reads lines like `export NAME='value'` until every name has a value. */
async function exportedLines({ stdout }: ChildProcessWithoutNullStreams, names: readonly string[]) {
  const values: Record<string, string> = {}
  for await (const line of createInterface({ input: stdout })) {
    const [, name = '', value = ''] = /^export ([A-Z_]+)='(.*)'$/.exec(line) ?? []
    if (names.includes(name)) values[name] ??= value
    if (Object.keys(values).length === names.length) break
  }
  return values
}

/** A folder of programs without a Chromium. */
function withoutChromium(): string {
  const dir = nobodysDir()
  for (const program of ['ldd', 'bash', 'cat']) symlinkSync(join('/usr/bin', program), join(dir, program))
  return dir
}

const canLoadFilters = hasSystemd && process.getuid?.() === 0 && process.arch === 'x64' && existsSync(HEADER)

unlessLacking('systemd-analyze, root and linux-libc-dev', canLoadFilters).describe('under the filter of', () => {
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
    stoppedAfterTest(startUnder('placefleet.service', ['start'], { DATA_DIR, ...(await freePorts()) }))
    await until('the service has started', () => existsSync(join(DATA_DIR, 'sign-in-link')), 60_000)
  })

  test('placefleet-coordinator.service and placefleet-backup.service, a coordinator starts and its database is backed up', async () => {
    const services = stoppedAfterTest(startUnder('placefleet.service', ['services'], { DATA_DIR: nobodysDir() }))
    const addresses = await exportedLines(services, ['MONGODB_URL', 'NATS_URL', 'SECRETS_KEY', 'AGENT_TOKEN'])
    const settings = { ...addresses, ...(await freePorts()) }
    stoppedAfterTest(startUnder('placefleet-coordinator.service', ['coordinator'], settings))
    const health = () => fetch(`http://127.0.0.1:${settings.PORT}/health`).catch(() => undefined) // not yet listening
    await until('the coordinator is ready', async () => (await health())?.ok, 60_000)

    const into = nobodysDir()
    const backup = ['ops', 'backup', '--into', into]
    expect(await endOf(startUnder('placefleet-backup.service', backup, settings))).toMatchObject({ status: 0 })
    expect(readdirSync(into)).toHaveLength(1)
  })
})

unlessLacking(MOUNTS, canHaveSmallDisk()).test(
  "on one host, the page's line for `ops` reaches the service from outside its private /tmp",
  async () => {
    const [DATA_DIR, TMPDIR] = [temporaryDir(), temporaryDir()]
    const unit = readFileSync(join(SYSTEMD, 'placefleet.service'), 'utf8')
    const [, line = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
    const [program = '', ...args] = line.replaceAll('/opt/placefleet', ROOT).split(' ')
    const wrapped = createSmallDisk(TMPDIR).wrap(program, args)
    const env = { ...process.env, ...(await freePorts()), TMPDIR, DATA_DIR }
    stoppedAfterTest(spawn(wrapped.command, wrapped.args, { cwd: ROOT, env, stdio: 'ignore' }))
    await until('the service has started', () => existsSync(join(DATA_DIR, 'sign-in-link')), 60_000)

    const doctor = /^DATA_DIR=\/var\/lib\/placefleet (npm run ops -- doctor)$/m
    const [, ops = ''] = doctor.exec(readFileSync(join(SYSTEMD, 'README.md'), 'utf8')) ?? expect.fail('no such line')
    const outside = { cwd: ROOT, env: { ...process.env, DATA_DIR }, encoding: 'utf8' } as const
    const { stdout, stderr } = spawnSync('/bin/sh', ['-c', ops], outside)
    expect(stdout + stderr).toContain('MongoDB     answers and accepts writes')
  },
  90_000,
)
