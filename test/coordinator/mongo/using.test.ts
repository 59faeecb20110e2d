import { indexesOf, suspendHint, using, usingKey } from '@placefleet/coordinator/mongo/indexes'
import { expect, test } from 'vitest'

const DEFINITIONS = { due: { key: { due_at: 1 } }, user: { key: { user_id: 1 } } } as const
const jobsBy = indexesOf('jobs', DEFINITIONS)
const monitorsBy = indexesOf('monitors', DEFINITIONS)

test('a query names an index that its folder declares, and nothing else compiles', () => {
  expect(using(jobsBy.due)).toEqual({ hint: 'due' })
  expect(usingKey(jobsBy.due)).toEqual({ hint: { due_at: 1 } })
  // @ts-expect-error: no index of this name is declared
  expect(() => using(jobsBy.age)).toThrow()
  // @ts-expect-error: a text is no index
  using('due')
})

test('while an index may be missing, queries do without it, and without no other', () => {
  const useAgain = suspendHint(jobsBy.due)
  expect([using(jobsBy.due), usingKey(jobsBy.due), using(jobsBy.user)]).toEqual([{}, {}, { hint: 'user' }])
  expect(using(monitorsBy.due)).toEqual({ hint: 'due' })

  useAgain()

  expect(using(jobsBy.due)).toEqual({ hint: 'due' })
})

test('of two coordinators of a process that wait for an index, the first to see it built changes nothing', () => {
  const [useFirst, useSecond] = [suspendHint(jobsBy.due), suspendHint(jobsBy.due)]
  useFirst()
  useFirst()
  expect(using(jobsBy.due)).toEqual({})

  useSecond()

  expect(using(jobsBy.due)).toEqual({ hint: 'due' })
})
