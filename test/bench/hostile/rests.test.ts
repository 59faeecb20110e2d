import { expect, test } from 'vitest'
import { refusalsOf } from './rests.ts'

const REST_MS = 500
const refused = (askedAt: number, at: number, address = '127.0.0.1') =>
  ({ refusal: 'blocked-still', kind: 'place-payload', address, askedAt, at }) as const

test('a request during a rest is needless; the canary, other addresses and requests in flight are not', () => {
  expect(refusalsOf([refused(0, 100), refused(300, 900)], REST_MS)).toEqual({ met: 2, needless: 1 })
  expect(refusalsOf([refused(0, 100), refused(600, 700)], REST_MS)).toEqual({ met: 2, needless: 0 })
  expect(refusalsOf([refused(0, 100), refused(300, 900, '127.0.0.2')], REST_MS)).toEqual({ met: 2, needless: 0 })
  expect(refusalsOf([refused(0, 100), refused(90, 400), refused(650, 700)], REST_MS)).toEqual({ met: 3, needless: 0 })
})
