import { createLookup } from '@placefleet/shared/egress/lookup'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { expect, test } from 'vitest'

test('an exempt name is asked of the system, which knows the hosts file', async () => {
  const addresses = await createLookup(parseAllowHosts('localhost:8443'))('localhost')
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1')
})

test('a name that nobody knows has no address', async () => {
  await expect(createLookup(ALLOW_NONE)('nobody.invalid')).rejects.toThrow()
})

test('questions for one name at the same time share one answer, later ones are asked anew', async () => {
  const lookup = createLookup(parseAllowHosts('localhost'))
  const [first, second] = [lookup('localhost'), lookup('localhost')]
  expect(second).toBe(first)
  await first
  expect(lookup('localhost')).not.toBe(first)
})
