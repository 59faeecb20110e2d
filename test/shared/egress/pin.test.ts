import { pinHttps } from '@placefleet/shared/egress/pin'
import { ALLOW_NONE } from '@placefleet/shared/egress/target'
import { expect, test } from 'vitest'

const egress = { allow: ALLOW_NONE, lookup: async () => [{ address: '93.184.215.14', family: 4 }] }

test('an https URL is pinned to the address that its name resolves to', async () => {
  const pinned = await pinHttps('https://hooks.example.com/a', egress)
  expect(pinned).toMatchObject({ ok: true, route: { host: 'hooks.example.com', port: 443, address: '93.184.215.14' } })
})

test('a name with one private address among public ones is refused', async () => {
  const lookup = async () => [...(await egress.lookup()), { address: 'fe80::1', family: 6 }]
  expect(await pinHttps('https://hooks.example.com/a', { allow: ALLOW_NONE, lookup })).toEqual({
    ok: false,
    reason: 'link_local',
  })
})

test.each(['http://hooks.example.com/a', 'https://user@hooks.example.com/a', 'https://:word@hooks.example.com/a'])(
  '%s is refused: only https without a user or a password is called',
  async (url) => {
    expect(await pinHttps(url, egress)).toEqual({ ok: false, reason: 'scheme' })
  },
)
