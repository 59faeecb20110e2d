import { rollbackCreation } from '@placefleet/coordinator/jobs/create'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import { MongoNetworkError } from 'mongodb'
import { afterAll, expect, test } from 'vitest'
import { createQuietly, creation, startBed } from '../operations/bed.ts'
import { noneLeft } from '../operations/job-checks.ts'
import type { Step } from '../operations/steps.ts'

const bed = await startBed((end) => afterAll(end))

/** The first write reaches the database, but its answer is lost. */
function unacknowledged(): Step {
  let writes = 0
  return async (write) => {
    writes += 1
    const answer = await write()
    if (writes === 1) throw new MongoNetworkError('the connection broke')
    return answer
  }
}

test('a creation whose insert was not acknowledged leaves nothing, and its key is free at once', async () => {
  const user_id = await bed.user()
  const wanted = creation(user_id, { idempotent: { key: 'order-17', fingerprint: 'f' } })
  const create = bed.inSteps(unacknowledged(), (db) => createQuietly(bed.over(db), wanted))
  await expect(create).rejects.toThrow('the connection broke')
  await noneLeft(bed, user_id)()

  const { job_id } = await createQuietly(bed.healthy, wanted)
  expect(await jobsOf(bed.db).find({ user_id }).toArray()).toMatchObject([{ _id: job_id, listed: true }])
})

test('a creation that another process rolled back removes the tasks that it added since', async () => {
  const user_id = await bed.user()
  let writes = 0
  const overtaken: Step = async (write) => {
    writes += 1
    if (writes === 3) {
      const job = (await jobsOf(bed.db).findOne({ user_id })) ?? expect.fail('no job')
      expect(await rollbackCreation(bed.healthy, job)).toBe(true)
    }
    const answer = await write()
    if (writes === 3) expect(await tasksOf(bed.db).countDocuments({ user_id })).toBe(2)
    return answer
  }
  const create = bed.inSteps(overtaken, (db) => createQuietly(bed.over(db), creation(user_id)))
  await expect(create).rejects.toMatchObject({ code: 'unavailable' })
  await noneLeft(bed, user_id)()
})
