import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isGeneric } from '@placefleet/agent/website/email-address'
import { createMailServers } from '@placefleet/agent/website/mail-servers'
import { expect, onTestFinished, test } from 'vitest'
import { startNameServer } from '../../harness/network/name-server.ts'

test('a domain with a mail server has one; a domain that refuses mail, or does not exist, has none', async () => {
  const { address } = await startNameServer({ 'shop.de': 'mx.shop.de', 'refuses.de': '' })
  const { has } = createMailServers([address])
  expect(await Promise.all([has('shop.de'), has('refuses.de'), has('nobody.de')])).toEqual([true, false, false])
})

test('a domain is asked for once in ten minutes, also by many at the same time', async () => {
  const server = await startNameServer({ 'shop.de': 'mx.shop.de' })
  let now = 0
  const { has } = createMailServers([server.address], () => now)
  await Promise.all([has('shop.de'), has('shop.de'), has('shop.de')])
  now = 599_999
  await has('shop.de')
  expect(server.asked).toEqual(['shop.de'])
  now = 600_000
  expect(await has('shop.de')).toBe(true)
  expect(server.asked).toEqual(['shop.de', 'shop.de'])
})

test('the oldest of more than 5,000 domains is forgotten', async () => {
  const server = await startNameServer({})
  const { has } = createMailServers([server.address], () => 0)
  await has('first.de')
  for (let from = 0; from < 5_000; from += 250) {
    await Promise.all(Array.from({ length: 250 }, (_, nth) => has(`d${from + nth}.de`)))
  }
  await has('d4999.de')
  expect(server.asked).toHaveLength(5_001)
  await has('first.de')
  expect(server.asked).toHaveLength(5_002)
})

test('a domain in another script is asked for by its ASCII form', async () => {
  const server = await startNameServer({ 'xn--bcker-gra.de': 'mx.shop.de' })
  expect(await createMailServers([server.address]).has('bäcker.de')).toBe(true)
})

test('a silent name server leaves it unknown', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  expect(await createMailServers([`127.0.0.1:${socket.address().port}`]).has('shop.de')).toBeUndefined()
})

test.each([
  ['info@shop.de', true],
  ['office.berlin@shop.de', true],
  ['info2@shop.de', true],
  ['kontakt-nord@shop.de', true],
  ['informatik@shop.de', false],
  ['ada.lovelace@shop.de', false],
  ['ada.info@shop.de', false],
])('%s names a role: %s', (address, generic) => {
  expect(isGeneric(address)).toBe(generic)
})
