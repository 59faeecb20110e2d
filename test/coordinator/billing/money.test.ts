import { creditString, microCredits, roundedCredits } from '@placefleet/coordinator/billing/prices/cost'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const amount = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })

test.each([
  ['0', 0],
  ['1', 1_000_000],
  ['0.007', 7_000],
  ['0.0005', 500],
  ['-12.5', -12_500_000],
  ['999999999.999999', 999_999_999_999_999],
])('%s credits are %d micro-credits', (credits, micro) => {
  expect(microCredits(credits)).toBe(micro)
})

const REFUSED = ['', ' 1', '1 ', '+1', '1.', '.5', '1,5', '1e3', 'NaN', '--1', '٥', '0.0000001', '1234567890', '1\n']

test.each(REFUSED)('%j is refused as an amount', (text) => {
  expect(() => microCredits(text)).toThrow(RangeError)
})

test('an amount is shown with 6 decimals, and read back as the same amount', () => {
  fc.assert(
    fc.property(amount, (micro) => {
      expect(creditString(micro)).toMatch(/^-?\d+\.\d{6}$/)
      expect(microCredits(creditString(micro))).toBe(micro)
    }),
  )
})

test('zero has no sign', () => {
  expect(creditString(-0)).toBe('0.000000')
})

test.each([
  [0, 0],
  [499_999, 0],
  [500_000, 1],
  [1_499_999, 1],
  [1_500_000, 2],
  [2_500_000, 3],
])('%d micro-credits are rounded to %d whole credits, halves up', (micro, credits) => {
  expect(roundedCredits(micro)).toBe(credits)
})
