import { addressOf, networkOf } from '@placefleet/coordinator/http/addresses'
import { createAddressLimit } from '@placefleet/coordinator/http/rate-limit'
import { expect, test } from 'vitest'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:443', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['', 'peer'],
  ['unknown', 'peer'],
  ['203.0.113.9:', 'peer'],
  ['203.0.113.9:a', 'peer'],
  ['[203.0.113.9:1', 'peer'],
  ['[]:1', 'peer'],
  ['999.1.1.1:1', 'peer'],
])('the address %j counts for %s', (ip, address) => {
  expect(addressOf({ ip, socket: { remoteAddress: 'peer' } })).toBe(address)
})

test('each network has its own bucket', () => {
  const limit = createAddressLimit({ rate: 1, burst: 2 })
  const now = new Date()
  const granted = ['1.1.1.1', '1.1.1.1', '1.1.1.1', '2.2.2.2', '2001:db8::1', '2001:db8::2', '2001:db8::3'].map(
    (address) => limit.take(address, now).granted,
  )
  expect(granted).toEqual([true, true, false, true, true, true, false])
})
