import { randomUUID } from 'node:crypto'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { tasksOfJob } from '@placefleet/coordinator/tasks/of-job'
import { insertTasks } from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('the tasks of a job are paged in their order, searches first, and by their state', async () => {
  const job_id = randomUUID()
  const wanted = [0, 1, 2].flatMap((ordinal) => [
    { job_id, user_id: 'user', kind: 'collect' as const, ordinal },
    { job_id, user_id: 'user', kind: 'discover' as const, ordinal, keyword: 'bakery' },
  ])
  await insertTasks(db, wanted)
  await tasksOf(db).updateOne({ job_id, kind: 'collect', ordinal: 1 }, { $set: { state: 'done' } })
  const seen: string[] = []
  let after: string | undefined
  for (;;) {
    const page = await tasksOfJob(db, job_id, { after, limit: 2 })
    seen.push(...page.map(({ kind, ordinal }) => `${kind} ${ordinal}`))
    after = page.at(-1)?._id
    if (page.length < 2) break
  }
  expect(seen).toEqual(['discover 0', 'discover 1', 'discover 2', 'collect 0', 'collect 1', 'collect 2'])
  expect((await tasksOfJob(db, job_id, { state: 'done', limit: 9 })).map(({ ordinal }) => ordinal)).toEqual([1])
})
