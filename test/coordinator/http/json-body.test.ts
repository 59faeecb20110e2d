import { AppError } from '@placefleet/coordinator/http/errors'
import { parseJson } from '@placefleet/coordinator/http/json-body'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const bytes = (text: string) => new TextEncoder().encode(text)
const statusOf = (body: Uint8Array): number => {
  try {
    parseJson(body)
    return 200
  } catch (error) {
    return error instanceof AppError ? error.status : 500
  }
}

test.each([
  ['{"a":', 422],
  ['', 422],
  ['{"a":1}x', 422],
  ["{'a':1}", 422],
  ['NaN', 422],
  ['[', 422],
  ['null', 200],
  ['{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"[[["}', 200],
  [`{"a":"\\"","b":${'['.repeat(33)}${']'.repeat(33)}}`, 400],
  [`{"a":"\\\\","b":${'['.repeat(33)}${']'.repeat(33)}}`, 400],
  [`{"a":"\\"${'['.repeat(40)}"}`, 200],
  ['['.repeat(32) + ']'.repeat(32), 200],
  ['['.repeat(33) + ']'.repeat(33), 400],
  ['['.repeat(100_000), 422],
  ['{"a":'.repeat(50_000), 422],
  ['['.repeat(100_000) + ']'.repeat(100_000), 400],
  [`${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, 400],
  ['{"__proto__":{"a":1}}', 400],
  ['{"a":[{"__proto__":1}]}', 400],
  ['{"constructor":{"prototype":{"a":1}}}', 400],
  ['{"constructor":"Hilti"}', 200],
  ['{"a":"__proto__"}', 200],
  ['{"constructor":null}', 200],
  ['[{"a":{"constructor":{"prototype":null}}}]', 400],
  [`[${'1,'.repeat(19_999)}1]`, 200],
  [`[${'1,'.repeat(20_000)}1]`, 400],
  [`{"a":[${'{},'.repeat(19_998)}{}]}`, 200],
  [`{"a":[${'{},'.repeat(19_999)}{}]}`, 400],
])('%.40s answers %i', (body, status) => {
  expect(statusOf(bytes(body))).toBe(status)
})

test('invalid UTF-8 is not JSON', () => {
  expect(statusOf(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).toBe(422)
  expect(statusOf(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe(422)
})

test('any JSON value arrives unchanged, and any bytes get an answer', () => {
  const json = fc.property(fc.json({ maxDepth: 5 }), (text) => {
    fc.pre(!text.includes('__proto__') && !text.includes('constructor'))
    expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
  })
  const garbage = fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
    expect([200, 400, 422]).toContain(statusOf(body))
  })
  fc.assert(json)
  fc.assert(garbage)
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
})
