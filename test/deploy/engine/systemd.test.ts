import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'
import { freePort } from '../../harness/network/free-port.ts'
import { canHaveSmallDisk, createSmallDisk, MOUNTS } from '../../harness/small-disk.ts'
import { temporaryDir } from '../../harness/temporary-dir.ts'
import { until } from '../../harness/until.ts'

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
      service.kill('SIGTERM')
      await once(service, 'exit')
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
