import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createLookup } from '@placefleet/shared/egress/lookup'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, onTestFinished, test } from 'vitest'

test('an exempt name is asked of the system, which knows the hosts file', async () => {
  const addresses = await createLookup(parseAllowHosts('localhost:8443'))('localhost')
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
})

test('an unknown name has no address', async () => {
  await expect(createLookup(ALLOW_NONE)('nobody.invalid')).rejects.toThrow()
})

test('concurrent queries for a name share one answer, later ones are sent again', async () => {
  const lookup = createLookup(parseAllowHosts('localhost'))
  const [first, second] = [lookup('localhost'), lookup('localhost')]
  expect(second).toBe(first)
  await first
  expect(lookup('localhost')).not.toBe(first)
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
