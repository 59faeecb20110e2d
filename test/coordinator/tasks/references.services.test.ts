import { randomUUID } from 'node:crypto'
import { referencesOf } from '@placefleet/coordinator/tasks/documents'
import { createReferences, MAX_REFERENCES } from '@placefleet/coordinator/tasks/plan'
import { expect, test } from 'vitest'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

const referenceTo = (n: number) => ({ place_key: keyOf(n), title: `Place ${n}` })

test('a job lists no more places than its limit, and says how many it had or refused', async () => {
  const job_id = randomUUID()
  const last = { _id: randomUUID(), job_id, position: MAX_REFERENCES - 1 }
  await referencesOf(db).insertOne({ ...last, place_key: keyOf(0), reference: referenceTo(0) })
  const found = [0, 1, 2, 3].map(referenceTo)

  expect(await createReferences(db).add(job_id, found)).toMatchObject({ duplicates: 1, refused: 2 })
  expect(await createReferences(db).add(job_id, found)).toMatchObject({ duplicates: 2, refused: 2 })

  const references = createReferences(db)
  expect(await references.count(job_id)).toBe(MAX_REFERENCES)
  const lastTask = MAX_REFERENCES / 20 - 1
  expect((await references.ofTask(job_id, lastTask, 20)).map(({ reference }) => reference)).toEqual([
    referenceTo(0),
    referenceTo(1),
  ])
})

test('references that a crash of the database takes away, after another coordinator read them, leave no gap', async () => {
  const job_id = randomUUID()
  await createReferences(db).add(job_id, [1, 2, 3].map(referenceTo)) // by a coordinator that hears nothing of it
  const [one, other] = [createReferences(db), createReferences(db)]
  await other.add(job_id, [1, 2, 3].map(referenceTo))
  await referencesOf(db).deleteMany({ job_id, position: { $gt: 1 } })
  await other.add(job_id, [referenceTo(4)])
  await one.add(job_id, [2, 3].map(referenceTo))
  expect((await one.ofTask(job_id, 0, 10)).map(({ place_key }) => place_key)).toEqual([1, 4, 2, 3].map(keyOf))
  expect(await one.count(job_id)).toBe(4)
})

test('references that a search sends again are no duplicates, those that another search lists are', async () => {
  const job_id = randomUUID()
  const references = createReferences(db)
  const found = [1, 2].map(referenceTo)
  const [search, other] = [{ task_id: 'search' }, { task_id: 'other' }]
  expect(await references.add(job_id, found, search)).toMatchObject({ duplicates: 0, refused: 0 })
  expect(await references.add(job_id, found, search)).toMatchObject({ duplicates: 0, refused: 0 })
  expect(await references.add(job_id, [...found, referenceTo(3)], other)).toMatchObject({ duplicates: 2, refused: 0 })
  expect(await references.count(job_id)).toBe(3)
})
