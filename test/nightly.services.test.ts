import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from './harness/temporary-dir.ts'

const ROOT = join(import.meta.dirname, '..')

/**
 * Runs .ci/nightly with an npm that only names the script it is asked for, and fails for one of them. No part is
 * skipped for what this machine lacks: what the tests say must not depend on it.
 */
function nightly(parts: string[], env: Record<string, string> = {}) {
  const bin = temporaryDir()
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm $*"\n[ "$2" != test:chaos ]\n', { mode: 0o755 })
  for (const tool of ['python3', 'debootstrap']) writeFileSync(join(bin, tool), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(bin, 'id'), '#!/bin/sh\necho 0\n', { mode: 0o755 }) // one part asks for root
  const { PATH } = process.env
  const { status, stdout, stderr } = spawnSync(join(ROOT, '.ci/nightly'), parts, {
    env: { PATH: `${bin}:${PATH}`, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('the nightly run goes on after a part that failed; its table and its exit code say so', () => {
  const { status, stdout } = nightly(['chaos', 'mutation'])
  expect(status).toBe(1)
  expect(stdout).toContain('npm run chaos -- --minutes 10')
  expect(stdout).toMatch(/== summary\nchaos +FAILED +\d+ s\nmutation +passed +\d+ s\n$/)
})

test('the nightly run prints the seed of its order, and takes one', () => {
  const { status, stdout } = nightly(['shuffled'], { SEED: '42' })
  expect(status).toBe(0)
  expect(stdout).toContain('SEED=42 .ci/nightly shuffled')
  expect(stdout).toContain('npm test -- --sequence.shuffle --sequence.seed=42')
  expect(stdout).toContain('npm run test:e2e -- --sequence.shuffle --sequence.seed=42')
})

test('the nightly run skips a part for which this machine lacks something, and says what', () => {
  const lonely = temporaryDir() // no repository, so without a tag
  const { status, stdout } = nightly(['upgrade'], { GIT_DIR: lonely })
  expect(status).toBe(0)
  expect(stdout).toMatch(/upgrade +skipped +\d+ s {2}this machine lacks the tag of an earlier version; name one: FROM=/)
})

test('the nightly run names its parts when it is asked for another', () => {
  const { status, stderr } = nightly(['chaso'])
  expect(status).toBe(2)
  expect(stderr).toContain('The parts are: install python packages deploy upgrade shuffled volume chaos mutation')
})

test('the nightly run has every script of tests that .ci/run leaves out', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toContain('\nnpm run test:all #')
  const inThatRun = ['test:all', 'test:e2e', 'test:durations']
  const left = Object.keys(scripts).filter((name) => name.startsWith('test:') && !inThatRun.includes(name))
  const { stdout } = nightly([], { FROM: 'HEAD' })
  expect(left.filter((name) => !stdout.includes(`npm run ${name}\n`))).toEqual([])
})
