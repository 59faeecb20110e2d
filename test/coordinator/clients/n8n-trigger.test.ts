import { newSigningSecret, signedHeaders } from '@placefleet/shared/webhooks/signature'
import { expect, test } from 'vitest'

// n8n's nodes are CommonJS, which the types of the tests are not.
const file = new URL('../../../coordinator/clients/n8n/nodes/PlacefleetTrigger/verify.ts', import.meta.url)
const { isGenuine } = await import(file.href)

const body = Buffer.from('{"event_type":"job.completed"}')
const now = new Date('2026-03-02T09:17:03Z')

/** A delivery that was signed with one secret, to a trigger that has another. */
function deliver(signedWith: string, secret: string): boolean {
  const headers = new Headers(signedHeaders({ id: 'd1', body, unixSeconds: now.getTime() / 1_000 }, [signedWith]))
  return isGenuine({ body, header: (name: string) => headers.get(name) ?? '', secret, now })
}

const secret = newSigningSecret()

test.each([
  ['with the secret of the trigger is accepted', secret, secret, true],
  ['with another secret is refused', newSigningSecret(), secret, false],
  ['without a secret, to a trigger that has none yet, is refused', '', '', false],
  ['with an empty secret, to a trigger that has an empty one, is refused', 'whsec_', 'whsec_', false],
])('a delivery that was signed $0', (_, signedWith, own, isAccepted) => {
  expect(deliver(signedWith, own)).toBe(isAccepted)
})
