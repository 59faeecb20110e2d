import { credentialOf, isPossiblyCrossSite } from '@placefleet/coordinator/http/authentication'
import { expect, test } from 'vitest'

const KEY = { kind: 'key', secret: 'svc_a' }
const SESSION = { kind: 'session', secret: 's1' }

test.each([
  { what: 'no header', headers: {}, credential: undefined },
  { what: 'a bearer token', headers: { authorization: 'Bearer svc_a' }, credential: KEY },
  {
    what: 'a bearer token in small letters, with spaces',
    headers: { authorization: 'bearer  svc_a ' },
    credential: KEY,
  },
  { what: 'the header of a key', headers: { 'x-api-key': 'svc_a' }, credential: KEY },
  { what: 'one key twice', headers: { authorization: 'Bearer svc_a', 'x-api-key': 'svc_a' }, credential: KEY },
  { what: 'two keys', headers: { authorization: 'Bearer svc_a', 'x-api-key': 'svc_b' }, credential: undefined },
  { what: 'another scheme', headers: { authorization: 'Basic svc_a' }, credential: undefined },
  { what: 'a scheme without a token', headers: { authorization: 'Bearer' }, credential: undefined },
  { what: 'two words as a token', headers: { authorization: 'Bearer a b' }, credential: undefined },
  { what: 'an empty header', headers: { authorization: '' }, credential: undefined },
  { what: 'a cookie among others', headers: { cookie: 'a=b; placefleet_session=s1; c' }, credential: SESSION },
  { what: 'two cookies', headers: { cookie: 'placefleet_session=s1; placefleet_session=s2' }, credential: undefined },
  { what: 'an empty cookie', headers: { cookie: 'placefleet_session=' }, credential: undefined },
  { what: 'a cookie whose name ends alike', headers: { cookie: 'xplacefleet_session=s1' }, credential: undefined },
  { what: 'a cookie and a key', headers: { cookie: 'placefleet_session=s1', 'x-api-key': 'svc_a' }, credential: KEY },
  {
    what: 'a cookie and another scheme',
    headers: { cookie: 'placefleet_session=s1', authorization: 'Basic x' },
    credential: undefined,
  },
])('the credential of a request with $what is $credential', ({ headers, credential }) => {
  expect(credentialOf(headers, undefined)).toEqual(credential)
})

test('behind https only the cookie that no neighbouring host can plant counts', () => {
  const headers = { cookie: 'placefleet_session=planted; __Host-placefleet_session=s1' }
  expect(credentialOf(headers, 'https://fleet.example')).toEqual(SESSION)
  expect(credentialOf({ cookie: '__Host-placefleet_session=s1' }, 'http://127.0.0.1:8080')).toBeUndefined()
})

test.each([
  { what: 'that reads', method: 'GET', headers: { origin: 'https://evil.example' }, isRefused: false },
  { what: 'without an origin', method: 'POST', headers: {}, isRefused: true },
  { what: 'from this site', method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, isRefused: false },
  { what: 'from a neighbouring host', method: 'POST', headers: { 'sec-fetch-site': 'same-site' }, isRefused: true },
  { what: 'of our origin', method: 'POST', headers: { origin: 'https://fleet.example' }, isRefused: false },
  { what: 'of our host over http', method: 'POST', headers: { origin: 'http://fleet.example' }, isRefused: true },
  {
    what: 'of another origin that says it is the same',
    method: 'DELETE',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    isRefused: true,
  },
  { what: 'of a hidden origin', method: 'POST', headers: { origin: 'null' }, isRefused: true },
  {
    what: 'of an origin that begins like ours',
    method: 'POST',
    headers: { origin: 'https://fleet.example.evil.example' },
    isRefused: true,
  },
])('a request $what may come from another site: $isRefused', ({ method, headers, isRefused }) => {
  expect(isPossiblyCrossSite(method, headers, 'https://fleet.example')).toBe(isRefused)
})

test('without a public address the host that was asked is the origin', () => {
  expect(isPossiblyCrossSite('POST', { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, undefined)).toBe(
    false,
  )
  expect(isPossiblyCrossSite('POST', { origin: 'http://127.0.0.1:8081', host: '127.0.0.1:8080' }, undefined)).toBe(true)
})
