import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { unlessLacking } from '../../harness/needs.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const DIR = join(ROOT, 'deploy/observability')
const read = (file: string) => readFileSync(join(DIR, file), 'utf8')

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

unlessLacking('promtool', hasPromtool).describe('the alerts', () => {
  test.each([
    ['check', 'rules', 'rules.yaml'],
    ['test', 'rules', 'rules.test.yaml'],
  ])('pass promtool %s %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: DIR, encoding: 'utf8' })
    expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 })
  })
})

test('each alert has a heading in the runbook', () => {
  const headings = [...read('README.md').matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading?.toLowerCase())
  for (const [, anchor] of read('rules.yaml').matchAll(/runbook: README\.md#(\w+)/g)) expect(headings).toContain(anchor)
})
