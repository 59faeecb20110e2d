import { fingerprint } from '@placefleet/coordinator/jobs/idempotency'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('the order of members does not matter, that of a list does', () => {
  expect(fingerprint({ a: 1, b: { c: [1, 2], d: 3 } })).toBe(fingerprint({ b: { d: 3, c: [1, 2] }, a: 1 }))
  expect(fingerprint([1, 2])).not.toBe(fingerprint([2, 1]))
})

test('different bodies have different fingerprints', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = fingerprint(one) === fingerprint(other)
      expect(same).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)))
    }),
  )
})

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)]
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)])
  return ['object', ...members.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))]
}
