import { APIConnectionError, APITimeoutError, InvalidResponseError, PlacefleetError } from '@placefleet/client'
import { describe, expect, test } from 'vitest'
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

describe('what may succeed later', () => {
  test.for([429, 500, 502, 503, 504].map((status) => ({ status })))('is the status $status', ({ status }) => {
    expect(isTemporary(refusal(status))).toBe(true)
  })

  test.for([400, 401, 402, 403, 404, 409, 422].map((status) => ({ status })))(
    'is not the status $status',
    ({ status }) => {
      expect(isTemporary(refusal(status))).toBe(false)
    },
  )

  test('is a lost connection and an answer that came too late', () => {
    expect(isTemporary(noConnection)).toBe(true)
    expect(isTemporary(new APITimeoutError({ status: 0, body: {} }))).toBe(true)
  })

  test('is no mistake of the console', () => {
    expect(isTemporary(new TypeError('undefined is not a function'))).toBe(false)
  })
})

test('only an answer is a refusal', () => {
  expect([refusal(404), noConnection, new TypeError('x')].map(isRefusal)).toEqual([true, false, false])
  expect([refusal(404), noConnection, new TypeError('x')].map(isUnreachable)).toEqual([false, true, false])
})

test('what is not there or not the user’s is gone', () => {
  expect([404, 403, 410, 500, 401].map((status) => isGone(refusal(status)))).toEqual([true, true, true, false, false])
})

test('the status 401 says that nobody is signed in', () => {
  expect([401, 403].map((status) => isSignedOut(refusal(status)))).toEqual([true, false])
})

describe('the fault of a field', () => {
  const error = refusal(400, { details: [{ path: 'schedule.cron', message: 'must have five fields' }] })

  test('is found by the field, and by what it is in', () => {
    expect(detailOf(error, 'schedule.cron')).toBe('must have five fields')
    expect(detailOf(error, 'schedule')).toBe('must have five fields')
  })

  test('is not found by the beginning of a name', () => {
    expect(detailOf(error, 'sched')).toBeUndefined()
  })

  test('is in no lost connection', () => {
    expect(detailOf(noConnection, 'schedule')).toBeUndefined()
  })
})

describe('the message beside a form', () => {
  const details = [
    { path: 'name', message: 'is empty' },
    { path: 'limit', message: 'is too high' },
  ]

  test('leaves out what the fields say', () => {
    expect(messageBeside(refusal(400, { message: 'wrong', details }), ['name'])).toBe('limit is too high')
  })

  test('is nothing when the fields say all', () => {
    expect(messageBeside(refusal(400, { message: 'wrong', details }), ['name', 'limit'])).toBeUndefined()
  })

  test('is that of the API when no field is wrong', () => {
    expect(messageBeside(refusal(402, { message: 'Too few credits.' }), ['name'])).toBe('Too few credits.')
  })
})

describe('the text of a failure', () => {
  const texts = { noConnection: 'The coordinator does not answer.', fault: 'The console has a fault' }

  test('is the message of an answer', () => {
    expect(messageOf(refusal(409, { message: 'The job has ended.' }), texts)).toBe('The job has ended.')
  })

  test('says that there was no answer', () => {
    expect(messageOf(noConnection, texts)).toBe('The coordinator does not answer.')
  })

  test('blames the console for its own mistakes, not the coordinator', () => {
    expect(messageOf(new TypeError('x is not a function'), texts)).toBe(
      'The console has a fault: TypeError: x is not a function',
    )
  })

  test('is that of an answer which does not come from Placefleet', () => {
    const page = new InvalidResponseError({ status: 200, body: { message: 'The answer is not JSON.' } })
    expect(messageOf(page, texts)).toBe('The answer is not JSON.')
  })
})
