import { webhooksOf } from '@placefleet/coordinator/webhooks/documents'
import type { Lookup } from '@placefleet/shared/egress/resolve'
import { ALLOW_NONE } from '@placefleet/shared/egress/target'
import { describe, expect, test } from 'vitest'
import { attempt, deliveryWorld, recordOne, registerWebhook } from '../../../harness/coordinator/deliveries.ts'
import { testReceiver } from '../../../harness/network/test-receiver.ts'
import { testDatabase } from '../../../harness/servers/database.ts'
import { volume } from '../../../harness/volume.ts'
import { FORBIDDEN, FORBIDDEN_HOSTS } from '../../../shared/egress/addresses.ts'

const { db } = await testDatabase()
const { secrets, parts } = await deliveryWorld(db)
const answering = (...addresses: string[]): Lookup => {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}
const neverAsked: Lookup = () => Promise.reject(new Error('a literal was looked up'))
const REFUSED = expect.stringMatching(/^The URL does not resolve to a public address\. .* in WEBHOOK_ALLOW_HOSTS\.$/)

/** Every nth host and address; the check itself knows all of them (shared/egress/target.test.ts). */
const NTH = volume(8, 1)
const hosts = FORBIDDEN_HOSTS.filter((_, nth) => nth % NTH === 0)
const addresses = FORBIDDEN.filter((_, nth) => nth % NTH === 0)
const ATTEMPTS = volume(20, 100)

const { user_id, webhook_id } = await registerWebhook(db, secrets, 'https://example.com/')

/** One attempt to a URL that somehow got past the check at registration. */
async function attemptTo(url: string, lookup: Lookup, ca?: string) {
  await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { url } })
  const egress = { allow: ALLOW_NONE, lookup }
  return attempt(parts({ egress, ca, timeoutMs: 2_000 }), await recordOne(db, user_id))
}

describe('a trap that listens on this machine is never connected to', () => {
  test(`by ${hosts.length} spellings of forbidden hosts`, { timeout: 120_000 }, async () => {
    const trap = await testReceiver()
    for (const host of hosts) {
      const { attempts } = await attemptTo(`https://${host}:${trap.port}/`, answering('127.0.0.1'), trap.authority.ca)
      expect({ host, attempts }).toMatchObject({ host, attempts: [{ error: REFUSED }] })
    }
    expect(trap.connections()).toBe(0)
  })

  test(`by a name with one of ${addresses.length} forbidden addresses, alone or among public ones`, {
    timeout: 120_000,
  }, async () => {
    const trap = await testReceiver()
    const url = `https://receiver.example.com:${trap.port}/`
    for (const [address] of addresses) {
      for (const lookup of [answering(address), answering('93.184.215.14', address)]) {
        const { attempts } = await attemptTo(url, lookup, trap.authority.ca)
        expect({ address, attempts }).toMatchObject({ address, attempts: [{ error: REFUSED }] })
      }
    }
    expect(trap.connections()).toBe(0)
  })

  test(`by a name that changes between the check and the connection, in ${ATTEMPTS} attempts`, async () => {
    const trap = await testReceiver()
    let asked = 0
    const rebinding: Lookup = async () => {
      asked += 1
      const address = asked % 2 === 1 ? '203.0.114.1' : '127.0.0.1'
      return [{ address, family: 4 }]
    }
    const url = `https://receiver.example.com:${trap.port}/`
    await webhooksOf(db).updateOne({ _id: webhook_id }, { $set: { url } })
    const quick = parts({ egress: { allow: ALLOW_NONE, lookup: rebinding }, ca: trap.authority.ca, timeoutMs: 15 })
    for (let made = 0; made < ATTEMPTS; made++) await attempt(quick, await recordOne(db, user_id))
    expect(asked).toBe(ATTEMPTS) // one look-up an attempt: there is no second one to lie to
    expect(trap.connections()).toBe(0)
  })
})

test.each([
  'http://example.com/',
  'https://user:password@example.com/',
  'https://example.com@127.0.0.1/',
  'ftp://example.com/',
  'gopher://example.com/',
  'file:///etc/passwd',
  'https:///',
  'not a url',
])('%s is not connected to', async (url) => {
  expect((await attemptTo(url, neverAsked)).attempts).toMatchObject([{ error: REFUSED }])
})

test('a name that cannot be resolved in time is a failed attempt, not an unchecked one', async () => {
  const error = 'The host name could not be resolved.'
  const unknown: Lookup = () => Promise.reject(new Error('ENOTFOUND'))
  const silent: Lookup = () => new Promise(() => undefined)
  for (const lookup of [unknown, silent, answering()]) {
    const { attempts } = await attemptTo('https://receiver.example.com/', lookup)
    expect(attempts).toMatchObject([{ error }])
  }
})
