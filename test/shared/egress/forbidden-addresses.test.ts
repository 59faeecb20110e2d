import { classifyAddress } from '@placefleet/shared/egress/forbidden-addresses'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'
import { FORBIDDEN, NOT_CANONICAL, PUBLIC } from './addresses.ts'

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
const hex = (value: number) => value.toString(16)

describe('for every address', () => {
  test('each private IPv4 network is refused as a whole', () => {
    const prefixes = fc.constantFrom('0', '10', '127', '192.168', '172.20', '169.254', '100.99', '198.19', '225', '250')
    fc.assert(
      fc.property(prefixes, octet, octet, octet, (prefix, a, b, c) => {
        const address = `${prefix}.${a}.${b}.${c}`.split('.').slice(0, 4).join('.')
        expect(classifyAddress(address), address).not.toBe('public')
      }),
    )
  })

  test('an IPv6 address outside of 2000::/3 is never public', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        fc.pre((groups[0] ?? 0) >> 13 !== 1 && groups[0] !== 0x64)
        expect(classifyAddress(groups.map(hex).join(':'))).not.toBe('public')
      }),
    )
  })

  test('an IPv6 address that carries an IPv4 address is never public', () => {
    const carriers = [
      (high: string, low: string) => `::ffff:${high}:${low}`,
      (high: string, low: string) => `::${high}:${low}`,
      (high: string, low: string) => `2002:${high}:${low}::1`,
      (high: string, low: string) => `2001:0:${high}:${low}::1`,
    ]
    fc.assert(
      fc.property(fc.constantFrom(...carriers), group, group, (carry, high, low) => {
        expect(classifyAddress(carry(hex(high), hex(low)))).not.toBe('public')
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
