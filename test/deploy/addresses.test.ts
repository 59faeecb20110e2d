import type { NetworkInterfaceInfo } from 'node:os'
import { urlsForOthers } from '@placefleet/deploy/standalone/start'
import { expect, test } from 'vitest'

const at = (address: string, family: 'IPv4' | 'IPv6', internal: boolean): NetworkInterfaceInfo => {
  const rest = { address, netmask: '255.0.0.0', mac: '00:00:00:00:00:00', internal, cidr: null }
  return family === 'IPv4' ? { ...rest, family } : { ...rest, family, scopeid: 0 }
}
const interfaces = {
  lo: [at('127.0.0.1', 'IPv4', true), at('::1', 'IPv6', true)],
  eth0: [at('192.168.1.5', 'IPv4', false), at('fe80::1', 'IPv6', false)],
  wlan0: [at('10.0.0.7', 'IPv4', false)],
}

test.each(['0.0.0.0', '::'])('who listens on %s is told the addresses for other machines', (host) => {
  expect(urlsForOthers(host, '8080', interfaces)).toEqual(['http://192.168.1.5:8080', 'http://10.0.0.7:8080'])
})

test.each(['127.0.0.1', '::1', '192.168.1.5'])('who listens on %s is told no other address', (host) => {
  expect(urlsForOthers(host, '8080', interfaces)).toEqual([])
})
