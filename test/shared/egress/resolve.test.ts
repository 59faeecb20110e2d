import { type Lookup, resolvePublic } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE, parseAllowHosts } from '@placefleet/shared/egress/target'
import { describe, expect, test } from 'vitest'
import { FORBIDDEN } from './addresses.ts'

function answering(...addresses: string[]): Lookup {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

const neverAsked: Lookup = async (name) => {
  throw new Error(`${name} was looked up`)
}

describe('a name', () => {
  test('is pinned to its public address', async () => {
    const lookup = answering('93.184.216.34')
    expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup })).toEqual({
      ok: true,
      addresses: [{ address: '93.184.216.34', family: 4 }],
    })
  })

  const [FOUR, SIX] = ['93.184.216.34', '2606:4700::1']

  test.each([
    [[4], [FOUR]],
    [[6], [SIX]],
    [
      [4, 6],
      [FOUR, SIX],
    ],
    [[], [FOUR, SIX]],
  ])('with both families is pinned to those of the machine, IPv4 first: %j', async (families, expected) => {
    const resolution = await resolvePublic('example.com', {
      allow: ALLOW_NONE,
      lookup: answering(SIX, FOUR),
      families: new Set(families),
    })
    expect(resolution).toMatchObject({ ok: true, addresses: expected.map((address) => ({ address })) })
  })

  test('with another family only is tried with that', async () => {
    const options = { allow: ALLOW_NONE, lookup: answering(SIX), families: new Set([4]) }
    expect(await resolvePublic('example.com', options)).toMatchObject({ addresses: [{ address: SIX, family: 6 }] })
  })

  test('is tried at three addresses at most', async () => {
    const lookup = answering('93.184.216.1', '93.184.216.2', '93.184.216.3', '93.184.216.4')
    const resolution = await resolvePublic('example.com', { allow: ALLOW_NONE, lookup, families: new Set([4]) })
    expect(resolution.ok && resolution.addresses.map(({ address }) => address)).toEqual([
      '93.184.216.1',
      '93.184.216.2',
      '93.184.216.3',
    ])
  })

  test.each(FORBIDDEN)('that leads to %s is refused as %s', async (address, reason) => {
    const lookup = answering(address)
    expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup })).toEqual({ ok: false, reason })
  })

  test.each(FORBIDDEN)(
    'never leads to %s among public answers, and is refused where that is asked for',
    async (address, reason) => {
      for (const lookup of [answering(FOUR, address), answering(address, SIX)]) {
        const resolution = await resolvePublic('example.com', { allow: ALLOW_NONE, lookup })
        expect(resolution).toMatchObject({ ok: true, addresses: [{}] })
        expect(JSON.stringify(resolution)).not.toContain(JSON.stringify(address))
        expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup, refusesMixed: true })).toEqual({
          ok: false,
          reason,
        })
      }
    },
  )

  test('that cannot be resolved is refused, not let through unchecked', async () => {
    const cause = new Error('ENOTFOUND')
    const failing: Lookup = () => Promise.reject(cause)
    expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup: failing })).toEqual({
      ok: false,
      reason: 'lookup_failed',
      cause,
    })
    expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup: answering() })).toMatchObject({ ok: false })
  })

  test('with an invalid answer is refused', async () => {
    const lookup = answering('fe80::1%eth0')
    expect(await resolvePublic('example.com', { allow: ALLOW_NONE, lookup })).toMatchObject({
      reason: 'not_an_address',
    })
  })

  test('is looked up as it will be connected to: lower case, ASCII, no trailing dot', async () => {
    const asked: string[] = []
    const lookup: Lookup = async (name) => {
      asked.push(name)
      return [{ address: '8.8.8.8', family: 4 }]
    }
    await resolvePublic('MÜLLER.de.', { allow: ALLOW_NONE, lookup })
    expect(asked).toEqual(['xn--mller-kva.de'])
  })

  test('that is not a host is refused', async () => {
    expect(await resolvePublic('a b', { allow: ALLOW_NONE, lookup: neverAsked })).toEqual({
      ok: false,
      reason: 'invalid_host',
    })
  })
})

describe('a literal', () => {
  test.each(['127.0.0.1', '2130706433', '[::1]', '::ffff:127.0.0.1', '0x7f.1'])('%s is refused', async (host) => {
    expect(await resolvePublic(host, { allow: ALLOW_NONE, lookup: neverAsked })).toMatchObject({ ok: false })
  })

  test('that is public needs no look-up', async () => {
    expect(await resolvePublic('[2606:4700::1]', { allow: ALLOW_NONE, lookup: neverAsked })).toEqual({
      ok: true,
      addresses: [{ address: '2606:4700::1', family: 6 }],
    })
  })
})

describe('an exempt host', () => {
  const allow = parseAllowHosts('shop.test:8080,nas.local')

  test('may lead inside, on its port', async () => {
    const lookup = answering('127.0.0.1')
    expect(await resolvePublic('shop.test', { allow, port: 8080, lookup })).toMatchObject({
      addresses: [{ address: '127.0.0.1' }],
    })
    expect(await resolvePublic('shop.test', { allow, port: 8081, lookup })).toMatchObject({ reason: 'loopback' })
    expect(await resolvePublic('shop.test', { allow, lookup })).toMatchObject({ reason: 'loopback' })
    expect(await resolvePublic('nas.local', { allow, port: 1, lookup })).toMatchObject({ ok: true })
  })
})

test('the system resolver answers by default', async () => {
  expect(await resolvePublic('localhost', { allow: ALLOW_NONE })).toMatchObject({ ok: false })
  expect(await resolvePublic('localhost', { allow: parseAllowHosts('localhost') })).toMatchObject({ ok: true })
})
