import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createLookup } from '@placefleet/shared/egress/lookup'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, onTestFinished, test } from 'vitest'
import { startAddressServer } from '../../harness/network/name-server.ts'

test('an exempt name is asked of the system, which knows the hosts file', async () => {
  const addresses = await createLookup(parseAllowHosts('localhost:8443'))('localhost')
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
})

test('an unknown name has no address', async () => {
  await expect(createLookup(ALLOW_NONE)('nobody.invalid')).rejects.toThrow()
})

test('concurrent queries for a name share one question', async () => {
  const { address, asked } = await startAddressServer({ 'shop.de': { 4: ['192.0.2.1'] } })
  const lookup = createLookup(ALLOW_NONE, [address])
  await Promise.all([lookup('shop.de'), lookup('shop.de')])
  expect(asked).toEqual(['shop.de', 'shop.de']) // for each family
})

test.each([
  [60, 59_999, 60_000],
  [5, 4_999, 5_000],
  [86_400, 59_999, 60_000],
])('an answer with a time to live of %d s is used for %d ms, not for %d', async (ttl, within, after) => {
  const { address, asked } = await startAddressServer({ 'shop.de': { 4: ['192.0.2.1'], 6: ['2001:db8::1'] } }, ttl)
  let now = 0
  const lookup = createLookup(ALLOW_NONE, [address], () => now)
  const answer = await lookup('shop.de')
  expect(answer).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ])
  now = within
  expect(await lookup('shop.de')).toEqual(answer)
  expect(asked).toHaveLength(2)
  now = after
  await lookup('shop.de')
  expect(asked).toHaveLength(4)
})

test('an answer without a time to live is asked for again', async () => {
  const { address, asked } = await startAddressServer({ 'shop.de': { 4: ['192.0.2.1'] } }, 0)
  const lookup = createLookup(ALLOW_NONE, [address])
  await lookup('shop.de')
  await lookup('shop.de')
  expect(asked).toHaveLength(4)
})

test('at most a thousand names are remembered', async () => {
  const names = Array.from({ length: 1_001 }, (_, nth) => `${nth}.de`)
  const { address, asked } = await startAddressServer(
    Object.fromEntries(names.map((name) => [name, { 4: ['192.0.2.1'] }])),
  )
  const lookup = createLookup(ALLOW_NONE, [address])
  for (const name of names) await lookup(name)
  await lookup('1.de')
  expect(asked).toHaveLength(2_002)
  await lookup('0.de')
  expect(asked).toHaveLength(2_004)
})

test.each([
  [4, { 4: 'silent', 6: ['2001:db8::1'] }, '2001:db8::1'],
  [6, { 4: ['192.0.2.1'], 6: 'silent' }, '192.0.2.1'],
] as const)('questions for IPv%d that are never answered do not hold the other answer', async (_, named, address) => {
  const server = await startAddressServer({ 'shop.de': named })
  const lookup = createLookup(ALLOW_NONE, [server.address])
  expect(await lookup('shop.de')).toMatchObject([{ address }])
  expect(server.asked).toHaveLength(2) // so before the first repeat of the question that has no answer
})

test('a name that does not exist is known as soon as one family says so', async () => {
  const server = await startAddressServer({})
  await expect(createLookup(ALLOW_NONE, [server.address])('nobody.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
  })
})

test('a name without an address of one family has those of the other, however late', async () => {
  const server = await startAddressServer({ 'six.de': { 6: ['2001:db8::1'] } })
  expect(await createLookup(ALLOW_NONE, [server.address])('six.de')).toEqual([{ address: '2001:db8::1', family: 6 }])
})

test('a question that several silent name servers never answer is cancelled within 3 s', async () => {
  const silent = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const socket = createSocket('udp4').bind(0, '127.0.0.1')
      onTestFinished(() => void socket.close())
      await once(socket, 'listening')
      return `127.0.0.1:${socket.address().port}`
    }),
  )
  await expect(createLookup(ALLOW_NONE, silent)('example.com')).rejects.toMatchObject({ code: 'ECANCELLED' })
})
