import { randomBytes } from 'node:crypto'
import { createSecretBox, decodeSecretsKey } from '@placefleet/coordinator/secrets/secret-box'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('a sealed text opens unchanged, and the sealed form does not contain it', () => {
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

test('the same text is sealed differently each time', () => {
  const box = createSecretBox(randomBytes(32))
  expect(box.seal('a secret')).not.toBe(box.seal('a secret'))
})

test('a key of another size is rejected', () => {
  expect(() => decodeSecretsKey('dG9vIHNob3J0')).toThrow('32 bytes')
})
