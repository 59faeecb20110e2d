import {
  generateApiKey,
  generateSecret,
  hashOf,
  isChosenKey,
  isGenerated,
  isPlausibleKey,
  keyHints,
} from '@placefleet/coordinator/accounts/key-format'
import { expect, test } from 'vitest'

test('keys have the form of GitHub tokens, a right checksum, and are never the same', () => {
  const keys = Array.from({ length: 1_000 }, generateApiKey)
  for (const key of keys) {
    expect(key).toMatch(/^svc_[0-9A-Za-z]{36}$/)
    expect([isPlausibleKey(key), isChosenKey(key)]).toEqual([true, true])
  }
  expect(new Set(keys).size).toBe(1_000)
})

test('one wrong letter in a generated key is noticed', () => {
  const key = generateApiKey()
  for (let i = 4; i < key.length; i++) {
    const other = key[i] === 'a' ? 'b' : 'a'
    expect(isPlausibleKey(`${key.slice(0, i)}${other}${key.slice(i + 1)}`)).toBe(false)
  }
})

test.each([
  ['svc_local-development', true],
  [`svc_${'x'.repeat(196)}`, true],
  [`svc_${'x'.repeat(197)}`, false],
  ['svc_12345678', true],
  ['svc_1234567', false],
  ['abc_local-development', false],
  ['svc_local development', false],
  ['svc_local-development\n', false],
  ['', false],
])('%j may have been chosen by an operator: %s', (key, plausible) => {
  expect([isChosenKey(key), isPlausibleKey(key)]).toEqual([plausible, plausible])
})

test('a chosen key that looks generated is accepted where it is configured', () => {
  const key = `svc_${'0'.repeat(36)}`
  expect([isPlausibleKey(key), isPlausibleKey(key, key), isPlausibleKey(key, 'svc_other')]).toEqual([
    false,
    true,
    false,
  ])
})

test('hints show the ends of a key, and the hash reveals nothing', () => {
  expect(keyHints('svc_abcdefghijklmnop')).toEqual({ key_hint_prefix: 'svc_abcd', key_hint_suffix: 'mnop' })
  expect(hashOf('svc_abc')).toMatch(/^[0-9a-f]{64}$/)
})

test('a secret is recognized with its own prefix only', () => {
  const secret = generateSecret('one_')
  expect(['one_', 'two_', 'one'].map((prefix) => isGenerated(secret, prefix))).toEqual([true, false, false])
})
