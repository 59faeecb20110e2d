import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecretBox } from '@placefleet/coordinator/secrets/secret-box'
import { secretsKey } from '@placefleet/coordinator/secrets/secrets-key'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

test('what was sealed comes out as it was, and the sealed form does not hold it', () => {
  const box = createSecretBox(randomBytes(32))
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), (secret) => {
      const sealed = box.seal(secret)
      expect(sealed).not.toContain(secret)
      expect(box.open(sealed)).toBe(secret.toWellFormed())
    }),
  )
})

test('a sealed secret that was changed, or sealed under another key, is not opened', () => {
  const box = createSecretBox(randomBytes(32))
  const sealed = box.seal('a secret')
  const changed = `${sealed.slice(0, -4)}${sealed.endsWith('AAA=') ? 'BBB=' : 'AAA='}`
  expect(() => box.open(changed)).toThrow()
  expect(() => createSecretBox(randomBytes(32)).open(sealed)).toThrow('SECRETS_KEY')
})

test('a key that is not given is made once and kept for its owner only', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const first = secretsKey(undefined, dir)
  expect(secretsKey(undefined, dir)).toEqual(first)
  expect(statSync(join(dir, 'secrets-key')).mode & 0o777).toBe(0o600)
  expect(() => secretsKey('dG9vIHNob3J0', dir)).toThrow('32 bytes')
})

test('a directory that can hold no key is said at once, with the settings to change', () => {
  const dir = mkdtempSync(join(tmpdir(), 'placefleet-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'file'), '')
  for (const path of ['/proc/none', join(dir, 'file'), join(dir, 'file', 'data')]) {
    expect(() => secretsKey(undefined, path)).toThrow(/^The secrets key cannot be .*Set SECRETS_KEY, or DATA_DIR/)
  }
})
