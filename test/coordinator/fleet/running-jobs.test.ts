import { createRunningJobs } from '@placefleet/coordinator/fleet/running-jobs'
import type { JobDocument } from '@placefleet/coordinator/jobs/documents'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

/** Returns the running jobs over one stored job, and the calls that they made. */
function runningJobsOver(job: JobDocument) {
  const calls: string[] = []
  let stored: JobDocument | undefined = job
  const find = async () => {
    calls.push('find')
    return stored
  }
  const start = async () => {
    calls.push('start')
    stored = { ...job, phase: 'running', status: 'running' }
    return stored
  }
  const store = (next: JobDocument | undefined) => {
    stored = next
  }
  return { running: createRunningJobs(find, { start }), calls, store }
}

test('claims of one job at the same time read it and start it once', async () => {
  const job = sampleJob('user', { status: 'pending' })
  const { running, calls } = runningJobsOver(job)
  const found = await Promise.all(Array.from({ length: 20 }, () => running(job._id)))
  expect(new Set(found.map((each) => each?.status))).toEqual(new Set(['running']))
  expect(calls).toEqual(['find', 'start'])
  expect(await running(job._id)).toMatchObject({ status: 'running' })
  expect(calls).toEqual(['find', 'start'])
})

test.each([
  ['has ended', { status: 'completed' as const }],
  ['is ending', { status: 'running' as const, phase: 'ending' as const }],
])('a job that %s is not remembered', async (_, fields) => {
  const job = sampleJob('user', fields)
  const { running, store } = runningJobsOver(job)
  expect(await running(job._id)).toBeUndefined()
  store(sampleJob('user', { status: 'running' }))
  expect(await running(job._id)).toMatchObject({ status: 'running' })
})

test('a job whose read fails is read again by the next claim', async () => {
  const job = sampleJob('user', { status: 'running' })
  let fails = true
  const find = async () => {
    if (fails) throw new Error('the database is away')
    return job
  }
  const running = createRunningJobs(find, { start: async () => undefined })
  await expect(running(job._id)).rejects.toThrow('away')
  fails = false
  expect(await running(job._id)).toEqual(job)
})
