import { createHmac } from 'node:crypto'
import { newSigningSecret, signedHeaders } from '@placefleet/shared/webhooks/signature'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { anyText } from '../../harness/any-text.ts'

const now = () => Math.floor(Date.now() / 1_000)

test('an independent library of Standard Webhooks verifies every delivery', () => {
  const anything = fc.record({ id: fc.uuid(), text: anyText() })
  fc.assert(
    fc.property(anything, ({ id, text }) => {
      const secret = newSigningSecret()
      const payload = { text: text.toWellFormed() }
      const body = Buffer.from(JSON.stringify(payload))
      const headers = signedHeaders({ id, body, unixSeconds: now() }, [secret])
      expect(new Webhook(secret).verify(body, headers)).toEqual(payload)
    }),
  )
})

test('the library refuses another body, another id and another secret', () => {
  const secret = newSigningSecret()
  const body = Buffer.from('{"a":1}')
  const headers = signedHeaders({ id: 'one', body, unixSeconds: now() }, [secret])
  const receiver = new Webhook(secret)
  expect(() => receiver.verify('{"a":2}', headers)).toThrow('No matching signature')
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'two' })).toThrow('No matching signature')
  expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature')
})

test('the signature covers time and body, keyed with the secret as shown', () => {
  const secret = 'whsec_c2VjcmV0'
  const headers = signedHeaders({ id: 'one', body: Buffer.from('{"ü":1}'), unixSeconds: 1_700_000_000 }, [secret])
  const expected = createHmac('sha256', secret).update('1700000000.{"ü":1}').digest('hex')
  expect(headers['x-webhook-signature']).toBe(`t=1700000000,sha256=${expected}`)
})

test('while a secret is replaced, a receiver may hold either', () => {
  const [fresh, old] = [newSigningSecret(), newSigningSecret()]
  const body = Buffer.from('{}')
  const unixSeconds = now()
  const headers = signedHeaders({ id: 'one', body, unixSeconds }, [fresh, old])
  for (const secret of [fresh, old]) expect(new Webhook(secret).verify(body, headers)).toEqual({})
  const [time, ...signatures] = headers['x-webhook-signature']?.split(',') ?? []
  expect(time).toBe(`t=${unixSeconds}`)
  const expected = [fresh, old].map((key) => createHmac('sha256', key).update(`${unixSeconds}.{}`).digest('hex'))
  expect(signatures).toEqual(expected.map((signature) => `sha256=${signature}`))
})
