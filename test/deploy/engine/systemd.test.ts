import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDir } from '../start-services.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const SYSTEMD = join(ROOT, 'deploy/systemd')
const SERVICES = globSync(join(SYSTEMD, '*.service'))
const UNITS = [...SERVICES, ...globSync(join(SYSTEMD, '*.timer'))]

/** The exposure that `systemd-analyze security` may find at most; 10 is none hardened. */
const MOST_EXPOSURE = 2.5

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('There is no systemd-analyze here: the units are not checked.')

describe.skipIf(!hasSystemd)('the systemd units', () => {
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
