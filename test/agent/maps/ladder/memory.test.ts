import { createLadderHints } from '@placefleet/agent/maps/ladder/memory'
import { expect, test } from 'vitest'

const COOKIES = { rung: 'cookies', proven: true, failedClimbs: 0 } as const

test('what a task learned is a hint for later ones, for five minutes and for the same way out', () => {
  let now = 0
  const hints = createLadderHints(() => now)
  hints.forTask(false).learn('place', COOKIES)
  expect(hints.forTask(false).of('place')).toEqual(COOKIES)
  expect(hints.forTask(false).of('search').rung).toBe('http')
  expect(hints.forTask(true).of('place').rung).toBe('http')
  now = 300_000
  expect(hints.forTask(false).of('place').rung).toBe('http')
})

test('a hint that is only followed ends all the same, so that cheap rungs are tried again', () => {
  let now = 0
  const hints = createLadderHints(() => now)
  hints.forTask(false).learn('place', COOKIES)
  now = 299_000
  const later = hints.forTask(false)
  later.learn('place', COOKIES)
  now = 301_000
  expect(hints.forTask(false).of('place').rung).toBe('http')
})
