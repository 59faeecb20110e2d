import { createOpenLimit } from '@placefleet/coordinator/accounts/limits'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
const limit = createOpenLimit(db, 'open', { most: 3, leaseSeconds: 60 })

const granted = async (user_id: string, ids: readonly string[]) => {
  const answers = await Promise.all(ids.map((id) => limit.lease(user_id, id)))
  return ids.filter((_, nth) => answers[nth])
}

test('of what a user opens at once, as much is open as the limit allows', async () => {
  expect(await granted('one', ['a', 'b', 'c', 'd', 'e'])).toHaveLength(3)
  expect(await granted('another', ['f'])).toEqual(['f'])
})

test('what is open stays open, whatever opens at the same time, and makes room when it is released', async () => {
  expect(await granted('renewing', ['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(await granted('renewing', ['d', 'c', 'e', 'b', 'f', 'a'])).toEqual(['c', 'b', 'a'])
  await Promise.all([limit.release('renewing', 'a'), limit.release('renewing', 'b')])
  expect(await granted('renewing', ['d', 'c', 'e', 'f'])).toHaveLength(3)
})

test('a lease that nobody renews makes room', async () => {
  const short = createOpenLimit(db, 'short', { most: 1, leaseSeconds: 0 })
  expect(await short.lease('one', 'a')).toBe(true)
  expect(await short.lease('one', 'b')).toBe(true)
})
