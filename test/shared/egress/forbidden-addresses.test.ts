import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { FORBIDDEN, NETWORKS, NOT_CANONICAL, PUBLIC } from './addresses.ts'

/** Returns the address that lies this far behind another one; undefined beyond all numbers. */
function beside(address: string, distance: bigint): string | undefined {
  const bits = address.includes(':') ? 128 : 32
  const digits = bits === 32 ? address.split('.').map((part) => hex(Number(part)).padStart(2, '0')) : groupsOf(address)
  const number = BigInt(`0x${digits.join('')}`) + distance
  if (BigInt.asUintN(bits, number) !== number) return undefined
  const bytes = Buffer.from(number.toString(16).padStart(bits / 4, '0'), 'hex')
  return bits === 32 ? bytes.join('.') : bytes.toString('hex').replace(/(.{4})(?=.)/g, '$1:')
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [start = [], end = []] = address.split('::').map((part) => part.split(':').filter((digits) => digits !== ''))
  const between = Array.from({ length: 8 - start.length - end.length }, () => '0')
  return [...start, ...between, ...end].map((digits) => digits.padStart(4, '0'))
}

const hex = (value: number) => value.toString(16)

test.each(NETWORKS)('the addresses from %s to %s are refused as %s, and none beside them', (first, last, reason) => {
  expect([first, last].map(classifyAddress)).toEqual([reason, reason])
  for (const other of [beside(first, -1n), beside(last, 1n)]) {
    if (other) expect(classifyAddress(other), other).not.toBe(reason)
  }
})

describe('an address', () => {
  test.each(FORBIDDEN)('%s is refused as %s', (address, reason) => {
    expect(classifyAddress(address)).toBe(reason)
  })

  test.each(PUBLIC)('%s is public', (address) => {
    expect(classifyAddress(address)).toBe('public')
  })

  test.each(NOT_CANONICAL)('%j is not one', (address) => {
    expect(classifyAddress(address)).toBe('not_an_address')
  })
})

const octet = fc.integer({ min: 0, max: 255 })
const group = fc.integer({ min: 0, max: 0xffff })

describe('for every address', () => {
  test('an IPv6 address outside of 2000::/3 is never public', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre((groups[0] ?? 0) >> 13 !== 1 && groups[0] !== 0x64)
        expect(classifyAddress(groups.map(hex).join(':'))).not.toBe('public')
      }),
    )
  })

  test('an IPv6 address of NAT64 is judged as the IPv4 address in it', () => {
    fc.assert(
      fc.property(octet, octet, octet, octet, (a, b, c, d) => {
        const address = [a, b, c, d].join('.')
        expect(classifyAddress(`64:ff9b::${address}`)).toBe(classifyAddress(address))
      }),
    )
  })

  test('any other text is refused and nothing throws', () => {
    fc.assert(fc.property(anyText(), (text) => typeof classifyAddress(text) === 'string'))
  })
})
