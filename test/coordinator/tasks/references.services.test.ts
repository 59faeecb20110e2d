import { randomUUID } from 'node:crypto'
import { ensureIndexes } from '@placefleet/coordinator/mongo/indexes'
import { referencesOf, taskIndexes } from '@placefleet/coordinator/tasks/documents'
import { createReferences, MAX_REFERENCES, TASK_SIZE } from '@placefleet/coordinator/tasks/plan'
import { expect, test } from 'vitest'
import { keyOf } from '../../harness/agents/scripted-collector.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()
await ensureIndexes(db, taskIndexes)

const referenceTo = (n: number) => ({ place_key: keyOf(n), title: `Place ${n}` })

test('a job lists no more places than its limit, and says how many it had or refused', async () => {
  const job_id = randomUUID()
  const last = { _id: randomUUID(), job_id, position: MAX_REFERENCES - 1 }
  await referencesOf(db).insertOne({ ...last, place_key: keyOf(0), reference: referenceTo(0) })
  const found = [0, 1, 2, 3].map(referenceTo)

  expect(await createReferences(db).add(job_id, found)).toEqual({ known: 1, refused: 2 })
  expect(await createReferences(db).add(job_id, found)).toEqual({ known: 2, refused: 2 })

  const references = createReferences(db)
  expect(await references.count(job_id)).toBe(MAX_REFERENCES)
  const lastTask = MAX_REFERENCES / TASK_SIZE - 1
  expect(await references.ofTask(job_id, lastTask)).toEqual([referenceTo(0), referenceTo(1)])
})
