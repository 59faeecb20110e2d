import { fingerprint } from '@placefleet/coordinator/jobs/idempotency'
import { expect, test } from 'vitest'

test('the order of members does not matter, however deep', () => {
  expect(fingerprint({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(fingerprint({ b: [{ d: 3, c: 2 }], a: 1 }))
})

test('different bodies have different fingerprints', () => {
  const bodies = [
    {},
    [],
    null,
    '',
    0,
    '0',
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { b: 1 },
    [1, 2],
    [2, 1],
    [[1], 2],
    ['a', 1],
  ]
  expect(new Set(bodies.map((body) => fingerprint(body))).size).toBe(bodies.length)
})
