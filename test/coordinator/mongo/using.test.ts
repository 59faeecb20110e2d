import { doWithout, using, usingKey } from '@placefleet/coordinator/mongo/indexes'
import { expect, test } from 'vitest'

const indexOf = (collection: string) => ({ collection, name: 'due', key: { due_at: 1 } }) as const

test('a query names an index', () => {
  expect(using('due')).toEqual({ hint: 'due' })
  expect(usingKey('due', { due_at: 1 })).toEqual({ hint: { due_at: 1 } })
})

test('while an index may be missing, queries do without it, and without no other', () => {
  const useAgain = doWithout(indexOf('jobs'))
  expect([using('due'), usingKey('due', { due_at: 1 }), using('user')]).toEqual([{}, {}, { hint: 'user' }])

  useAgain()

  expect(using('due')).toEqual({ hint: 'due' })
})

test('of two missing indexes of one name, the first that is built changes nothing', () => {
  const [useFirst, useSecond] = [doWithout(indexOf('jobs')), doWithout(indexOf('monitors'))]
  useFirst()
  useFirst()
  expect(using('due')).toEqual({})

  useSecond()

  expect(using('due')).toEqual({ hint: 'due' })
})
