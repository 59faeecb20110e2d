import { type AcceptedPlace, createResultAppender, type Destination } from '@placefleet/coordinator/results/append'
import { tierCounts } from '@placefleet/coordinator/results/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

/** Two coordinators that store the places of one job. */
function twoCoordinators(max_results = 100) {
  const job_id = crypto.randomUUID()
  const source = { user_id: 'user', task_id: 'task', attempt: 1, agent_id: 'agent' }
  const to: Destination = { ...source, job_id, max_results, affordable: () => true }
  return { job_id, to, one: createResultAppender(db), other: createResultAppender(db) }
}

const places = (...keys: string[]): AcceptedPlace[] =>
  keys.map((place_key) => ({ place_key, place: { place_key, title: place_key }, web_presence: 'none' }))

test('places of two coordinators make one chain without doubles, gaps or places beyond the cap', async () => {
  const { job_id, to, one, other } = twoCoordinators(5)
  await one.append(to, places('a', 'b'))
  await other.append({ ...to, task_id: 'other' }, places('b', 'c'))
  expect(await one.append(to, places('c', 'd'))).toMatchObject({ stored: 1, duplicates: 1, totals: { places: 4 } })
  expect(await other.append(to, places('e', 'f'))).toMatchObject({ stored: 1, totals: { places: 5 }, end: 'full' })

  const chain = await db.collection('results').find({ job_id }).sort({ position: 1 }).toArray()
  expect(chain.map(({ place_key, position }) => [place_key, position])).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((key, index) => [key, index + 1]),
  )
  expect(chain.map(({ _id }) => Number(_id))).toEqual(chain.map(({ _id }) => Number(_id)).toSorted((a, b) => a - b))
  expect(await tierCounts(db, job_id)).toMatchObject({ none: 5, has: 0 })
})

test('a seal and a place at the same time: the place counts in the sealed totals, or is refused', async () => {
  for (let round = 0; round < 20; round++) {
    const { to, one, other, job_id } = twoCoordinators()
    await one.append(to, places('a'))
    const [appended, sealed] = await Promise.all([one.append(to, places('b')), other.seal(job_id)])
    expect(sealed.places).toBe(1 + appended.stored)
    expect(await one.append(to, places('c'))).toMatchObject({ stored: 0, end: 'sealed' })
    expect(await one.seal(job_id)).toEqual(sealed)
  }
})

test('a late writer stores nothing into a job that was deleted', async () => {
  const { to, one, other, job_id } = twoCoordinators()
  await one.append(to, places('a'))
  await other.append(to, places('b', 'c'))
  await other.seal(job_id)
  await other.bury(job_id)

  expect(await one.append(to, places('d'))).toMatchObject({ stored: 0, end: 'sealed' })
  expect(await db.collection('results').countDocuments({ job_id, place_key: { $exists: true } })).toBe(0)
})
