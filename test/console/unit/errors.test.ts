import { APIConnectionError, APITimeoutError, InvalidResponseError, PlacefleetError } from '@placefleet/client'
import { expect, test } from 'vitest'
import {
  detailOf,
  isGone,
  isRefusal,
  isSignedOut,
  isTemporary,
  isUnreachable,
  messageBeside,
  messageOf,
} from '../../../coordinator/console/src/api/errors.ts'

const refusal = (status: number, body: { message?: string; details?: { path: string; message: string }[] } = {}) =>
  new PlacefleetError({ status, body })
const noConnection = new APIConnectionError({ status: 0, body: { message: 'refused' } })
const mistake = new TypeError('x is not a function')

test.each<[string, unknown, boolean]>([
  ...[429, 500, 502, 503, 504].map((status): [string, unknown, boolean] => [`${status}`, refusal(status), true]),
  ...[400, 401, 402, 403, 404, 409, 422].map((status): [string, unknown, boolean] => [
    `${status}`,
    refusal(status),
    false,
  ]),
  ['a lost connection', noConnection, true],
  ['an answer that came too late', new APITimeoutError({ status: 0, body: {} }), true],
  ['a mistake of the console', mistake, false],
])('what failed with %s may succeed later: $2', (_, error, expected) => {
  expect(isTemporary(error)).toBe(expected)
})

test('only an answer is a refusal', () => {
  expect([refusal(404), noConnection, mistake].map(isRefusal)).toEqual([true, false, false])
  expect([refusal(404), noConnection, mistake].map(isUnreachable)).toEqual([false, true, false])
})

test('what is not there or not the user’s is gone', () => {
  expect([404, 403, 410, 500, 401].map((status) => isGone(refusal(status)))).toEqual([true, true, true, false, false])
})

test('the status 401 says that nobody is signed in', () => {
  expect([401, 403].map((status) => isSignedOut(refusal(status)))).toEqual([true, false])
})

test('the fault of a field is found by the field and by what it is in, not by the beginning of a name', () => {
  const error = refusal(400, { details: [{ path: 'schedule.cron', message: 'must have five fields' }] })
  const found = ['schedule.cron', 'schedule', 'sched'].map((field) => detailOf(error, field))
  expect(found).toEqual(['must have five fields', 'must have five fields', undefined])
  expect(detailOf(noConnection, 'schedule')).toBeUndefined()
})

const details = [
  { path: 'name', message: 'is empty' },
  { path: 'limit', message: 'is too high' },
]

test.each([
  ['what no field says', refusal(400, { message: 'wrong', details }), ['name'], 'limit is too high'],
  ['nothing when the fields say all', refusal(400, { message: 'wrong', details }), ['name', 'limit'], undefined],
  [
    'that of the API when no field is wrong',
    refusal(402, { message: 'Too few credits.' }),
    ['name'],
    'Too few credits.',
  ],
])('the message beside a form is %s', (_, error, fields, message) => {
  expect(messageBeside(error, fields)).toBe(message)
})

test.each([
  ['an answer is its message', refusal(409, { message: 'The job has ended.' }), 'The job has ended.'],
  ['a lost connection says so', noConnection, 'The coordinator does not answer.'],
  ['a mistake blames the console', mistake, 'The console has a fault: TypeError: x is not a function'],
  [
    'an answer that does not come from Placefleet says what it is',
    new InvalidResponseError({ status: 200, body: { message: 'The answer is not JSON.' } }),
    'The answer is not JSON.',
  ],
])('the text of %s', (_, error, text) => {
  const texts = { noConnection: 'The coordinator does not answer.', fault: 'The console has a fault' }
  expect(messageOf(error, texts)).toBe(text)
})
