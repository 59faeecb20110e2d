import { createClientMemory } from '@placefleet/agent/maps/requests/client-memory'
import { createExit } from '@placefleet/agent/maps/requests/exit'
import { failureOf, failureOfData } from '@placefleet/agent/maps/requests/failure'
import { expect, test } from 'vitest'

const BARE_403 = {
  url: 'https://maps.example/',
  kind: 'refused',
  status: 403,
  text: '<html>',
  retryAfterMs: 5_000,
} as const

test('a bare 403 on data that the site answered before refuses the exit, a payload is no failure', () => {
  const exit = createExit(undefined, { limits: { pace: undefined, inFlight: 1, restMs: 0 } })
  const [one, other] = [new URL('https://maps.example/reviews?of=1'), new URL('https://maps.example/reviews?of=2')]
  expect(failureOfData(BARE_403, 'http', one, exit)).toMatchObject({ fault: 'request_refused' })
  expect(failureOfData({ ...BARE_403, kind: 'payload', status: 200 }, 'http', one, exit)).toBeUndefined()
  expect(failureOfData(BARE_403, 'http', other, exit)).toMatchObject({
    fault: 'exit_refused',
    details: { retryAfterMs: 5_000 },
  })
})

test('the page for clients without scripts refuses an exit only where scripts ran', () => {
  const answer = {
    url: 'https://maps.example/',
    kind: 'needs_scripts',
    status: 200,
    text: '<html>',
    retryAfterMs: undefined,
  } as const
  expect(failureOf(answer, { refusesExit: true, scripts: false })).toMatchObject({ fault: 'needs_scripts' })
  expect(failureOf(answer, { refusesExit: true, scripts: true })).toMatchObject({ fault: 'exit_refused' })
})

test('a 403 on data refuses the exit where such data came since the last refusal, but not twice for one request', () => {
  const { servedData, refusesExit } = createClientMemory(() => 0)
  const [one, other] = [new URL('https://maps.example/reviews?of=1'), new URL('https://maps.example/reviews?of=2')]
  expect(refusesExit('http', other)).toBe(false)
  servedData('http', one)
  expect([refusesExit('http', one), refusesExit('http', one)]).toEqual([true, false])
  servedData('http', other)
  expect(refusesExit('http', one)).toBe(false)
  servedData('http', one)
  expect(refusesExit('http', other)).toBe(false)
})

test('what the site gives to its pages says nothing about plain HTTP', () => {
  const { servedData, refusesExit } = createClientMemory(() => 0)
  const url = new URL('https://maps.example/reviews?of=1')
  servedData('page', url)
  expect(refusesExit('http', url)).toBe(false)
  servedData('page', url)
  expect(refusesExit('page', new URL('?of=2', url))).toBe(true)
})
