import { setNewest } from '@placefleet/shared/newest'
import { expect, test } from 'vitest'

test('a bounded map forgets the key that was set the longest ago', () => {
  const map = new Map<string, number>()
  expect(setNewest(map, 'a', 1, 2)).toBeUndefined()
  expect(setNewest(map, 'b', 2, 2)).toBeUndefined()
  expect(setNewest(map, 'a', 3, 2)).toBeUndefined()
  expect(setNewest(map, 'c', 4, 2)).toEqual(['b', 2])
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
})
