import { nextPhotoRequest, readPhotoRequest } from '@placefleet/agent/maps/photos/page-request'
import { expect, test } from 'vitest'

const CALL = '/MapsPhotoService.ListEntityPhotos'
const ARGUMENTS = [
  2,
  null,
  ['0x1:0x2', null, 0, [['/g/11a']]],
  null,
  [null, [203, 100], [null, 20, null, null, 1]],
  'psi',
]
const bodyOf = (args: unknown) =>
  new URLSearchParams({
    'f.req': JSON.stringify([[[CALL, JSON.stringify(args), null, 'generic']]]),
    at: 'AB:1',
  }).toString()
const sent = {
  url: 'https://maps.example/maps/_/MapsWizUi/data/batchexecute?rpcids=hspqX&hl=de&_reqid=200000&rt=c',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-maps-diversion-context-bin': 'CAE=',
    'user-agent': 'Chromium',
    cookie: 'NID=1',
  },
  body: bodyOf(ARGUMENTS),
}
const readSent = (changes: Partial<typeof sent> = {}) => readPhotoRequest({ ...sent, ...changes })

function next(token?: string) {
  const request = readSent()
  if (!request) throw new Error('no request')
  const { url, headers, body } = nextPhotoRequest(request, '0x3:0x4', token)
  const form = new URLSearchParams(body)
  const [[[call, args]]] = JSON.parse(form.get('f.req') ?? '')
  return {
    number: url.searchParams.get('_reqid'),
    hl: url.searchParams.get('hl'),
    headers,
    at: form.get('at'),
    call,
    args: JSON.parse(args),
  }
}

test('the next request names another place, and else is the request of the page', () => {
  const { 'user-agent': _chromium, cookie: _own, ...headers } = sent.headers
  expect(next()).toEqual({
    number: '300000',
    hl: 'de',
    headers,
    at: 'AB:1',
    call: CALL,
    args: ARGUMENTS.with(2, ['0x3:0x4']),
  })
})

test('a later page of the list is requested by its token', () => {
  expect(next('CgA=').args[4]).toEqual([null, [203, 100], [null, 20, 'CgA=', null, 1]])
})

test.each([
  ['of reviews', { body: bodyOf([['0x1:0x2'], [10, null], 2]) }],
  ['without a body', { body: '' }],
  ['of another form', { body: 'f.req=no+json' }],
  ['that the site accepts only once', { headers: { ...sent.headers, 'x-maps-bgkey': 'signed' } }],
])('a request %s is not taken for it', (_, changes) => {
  expect(readSent(changes)).toBeUndefined()
})
