import { indexesOf, using, usingKey } from '@placefleet/coordinator/mongo/indexes'
import { expect, test } from 'vitest'

const jobsBy = indexesOf('jobs', { due: { key: { due_at: 1 } }, user: { key: { user_id: 1 } } })

test('a query names an index that its folder declares, and nothing else compiles', () => {
  expect(using(jobsBy.due)).toEqual({ hint: 'due' })
  expect(usingKey(jobsBy.due)).toEqual({ hint: { due_at: 1 } })
  // @ts-expect-error: no index of this name is declared
  expect(() => using(jobsBy.age)).toThrow()
  // @ts-expect-error: a text is no index
  using('due')
})
