import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptSecretsKey } from '@placefleet/deploy/standalone/key-files'
import { expect, onTestFinished, test } from 'vitest'

test('a missing key is created once, readable only for its owner', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const first = keptSecretsKey(dir)
  expect(keptSecretsKey(dir)).toEqual(first)
  expect(statSync(join(dir, 'secrets-key')).mode & 0o777).toBe(0o600)
})

test('a directory that can hold no key is said at once, with the settings to change', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'file'), '')
  for (const path of ['/proc/none', join(dir, 'file'), join(dir, 'file', 'data')]) {
    expect(() => keptSecretsKey(path)).toThrow(/^Cannot .* the secrets key .*Set SECRETS_KEY, or set DATA_DIR/)
  }
})
