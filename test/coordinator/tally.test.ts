import { createTally } from '@placefleet/coordinator/cache'
import { expect, test } from 'vitest'

test('a tally counts each key for itself, and never below zero', () => {
  const tally = createTally()
  tally.add('a')
  tally.add('a')
  tally.add('b')
  tally.remove('b')
  tally.remove('b')
  expect([tally.of('a'), tally.of('b')]).toEqual([2, 0])
  tally.add('b')
  tally.remove('a')
  expect([tally.of('a'), tally.of('b')]).toEqual([1, 1])
})
