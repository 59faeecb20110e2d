import { randomUUID } from 'node:crypto'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { abortTimedOut } from '@placefleet/coordinator/jobs/due-jobs'
import { TIMINGS } from '@placefleet/coordinator/timings'
import { expect, test } from 'vitest'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

test('a cancelled job waits eight seconds for its agents, so that it ends within ten', async () => {
  const aborting = async (seconds: number) => {
    const _id = randomUUID()
    await jobsOf(db).updateOne(
      { _id },
      [{ $set: { phase: 'aborting', phase_at: { $subtract: ['$$NOW', seconds * 1_000] } } }],
      { upsert: true },
    )
    return _id
  }
  const [waiting, over] = [await aborting(2), await aborting(9)]
  const timedOut = (job_id: string) => abortTimedOut(db, job_id, TIMINGS)
  expect([await timedOut(over), await timedOut(waiting)]).toEqual([true, false])
})
