import { credentialOf, isPossiblyCrossSite } from '@placefleet/coordinator/http/authentication'
import { expect, test } from 'vitest'

const KEY = { kind: 'key', secret: 'svc_a' }
const SESSION = { kind: 'session', secret: 's1' }

test.each([
  [{}, undefined],
  [{ authorization: 'Bearer svc_a' }, KEY],
  [{ authorization: 'bearer  svc_a ' }, KEY],
  [{ 'x-api-key': 'svc_a' }, KEY],
  [{ authorization: 'Bearer svc_a', 'x-api-key': 'svc_a' }, KEY],
  [{ authorization: 'Bearer svc_a', 'x-api-key': 'svc_b' }, undefined],
  [{ authorization: 'Basic svc_a' }, undefined],
  [{ authorization: 'Bearer' }, undefined],
  [{ authorization: 'Bearer a b' }, undefined],
  [{ authorization: '' }, undefined],
  [{ cookie: 'a=b; placefleet_session=s1; c' }, SESSION],
  [{ cookie: 'placefleet_session=s1; placefleet_session=s2' }, undefined],
  [{ cookie: 'placefleet_session=' }, undefined],
  [{ cookie: 'xplacefleet_session=s1' }, undefined],
  [{ cookie: 'placefleet_session=s1', 'x-api-key': 'svc_a' }, KEY],
  [{ cookie: 'placefleet_session=s1', authorization: 'Basic x' }, undefined],
])('%o shows %o', (headers, credential) => {
  expect(credentialOf(headers, undefined)).toEqual(credential)
})

test('behind https only the cookie that no neighbouring host can plant counts', () => {
  const headers = { cookie: 'placefleet_session=planted; __Host-placefleet_session=s1' }
  expect(credentialOf(headers, 'https://fleet.example')).toEqual(SESSION)
  expect(credentialOf({ cookie: '__Host-placefleet_session=s1' }, 'http://127.0.0.1:8080')).toBeUndefined()
})

test.each([
  ['GET', { origin: 'https://evil.example' }, false],
  ['POST', {}, true],
  ['POST', { 'sec-fetch-site': 'same-origin' }, false],
  ['POST', { 'sec-fetch-site': 'same-site' }, true],
  ['POST', { origin: 'https://fleet.example' }, false],
  ['POST', { origin: 'http://fleet.example' }, true],
  ['DELETE', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, true],
  ['POST', { origin: 'null' }, true],
  ['POST', { origin: 'https://fleet.example.evil.example' }, true],
])('%s with %o may come from another site: %s', (method, headers, maybe) => {
  expect(isPossiblyCrossSite(method, headers, 'https://fleet.example')).toBe(maybe)
})

test('without a public address the host that was asked is the origin', () => {
  expect(isPossiblyCrossSite('POST', { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, undefined)).toBe(
    false,
  )
  expect(isPossiblyCrossSite('POST', { origin: 'http://127.0.0.1:8081', host: '127.0.0.1:8080' }, undefined)).toBe(true)
})
