import { randomUUID } from 'node:crypto'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { JobList } from '@placefleet/coordinator/jobs/schema'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../harness/coordinator/client.ts'
import { resultDocument, storeResults } from '../../harness/coordinator/results.ts'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { addCoordinator, startWorld } from '../../harness/coordinator/world.ts'

const world = await startWorld(afterAll)
const { url } = await addCoordinator(world)

/** Creates a user with jobs whose names, times and statuses are often the same. */
async function userWithJobs(count: number) {
  const { user_id, key } = await addUser(world.db)
  const { call } = createClient(url, key)
  const now = Date.now()
  const jobs = Array.from({ length: count }, (_, n) =>
    sampleJob(user_id, {
      name: `Job ${n % 3}`,
      status: n % 2 === 0 ? 'completed' : 'failed',
      created_at: new Date(now - 1_000 * (n % 4)),
      updated_at: new Date(now - 1_000 * (n % 5)),
    }),
  )
  await jobsOf(world.db).insertMany(jobs)
  const list = async (query: string) => JobList.parse((await call('GET', `/api/v1/jobs?${query}`)).body)
  /** Reads the list by the id of the last job, with something done after the first answer. */
  const idsBehind = async (query: string, meanwhile?: () => Promise<void>) => {
    const ids: string[] = []
    let { jobs, has_more } = await list(query)
    await meanwhile?.()
    for (;;) {
      ids.push(...jobs.map(({ id }) => id))
      if (!has_more) return ids
      ;({ jobs, has_more } = await list(`${query}&after=${ids.at(-1)}`))
    }
  }
  return { user_id, call, list, idsBehind }
}

const ORDERS = ['created_at', 'updated_at', 'name', 'status'].flatMap((sort) =>
  ['asc', 'desc'].map((order) => `sort=${sort}&order=${order}`),
)

test.each([...ORDERS, 'search=job', 'sort=name&search=job%201', 'status=failed'])(
  'the jobs behind the last one of each answer are the whole list: %s',
  async (query) => {
    const { list, idsBehind } = await userWithJobs(13)
    const whole = (await list(`${query}&limit=100`)).jobs.map(({ id }) => id)

    expect(whole.length).toBeGreaterThan(3)
    expect(await idsBehind(`${query}&limit=3`)).toEqual(whole)
  },
)

test.each(['limit=3', 'limit=3&search=job', 'limit=3&status=completed'])(
  'a last page that is exactly full says that none follows: %s',
  async (query) => {
    const { list } = await userWithJobs(query.includes('status') ? 12 : 6)
    const pages = [await list(`${query}&page=1`), await list(`${query}&page=2`)]
    expect(pages.map(({ jobs, has_more }) => [jobs.length, has_more])).toEqual([
      [3, true],
      [3, false],
    ])
  },
)

test('the download over jobs holds the places of completed and cancelled ones, the oldest first', async () => {
  const { user_id, call } = await userWithJobs(1)
  const statuses = ['completed', 'failed', 'cancelled', 'running'] as const
  const now = Date.now()
  const jobs = statuses.map((status, n) =>
    sampleJob(user_id, { status, created_at: new Date(now - n), ended_at: new Date(now - 1) }),
  )
  await jobsOf(world.db).insertMany(jobs)
  for (const { _id: job_id } of jobs) {
    await storeResults(world.db, job_id, [resultDocument({ user_id, job_id }, { title: job_id })])
  }
  const { body } = await call('GET', '/api/v1/results/download?columns=job_id')
  expect(String(body).replaceAll('"', '').split('\r\n')).toEqual(['job_id', jobs[2]?._id, jobs[0]?._id, ''])
})

test('a job that is created, or the last one that is deleted meanwhile, moves no other job', async () => {
  const { user_id, call, list, idsBehind } = await userWithJobs(7)
  const whole = (await list('limit=100')).jobs.map(({ id }) => id)

  const ids = await idsBehind('limit=3', async () => {
    await jobsOf(world.db).insertOne(sampleJob(user_id))
    expect((await call('DELETE', `/api/v1/jobs/${whole[2]}`)).status).toBe(204)
  })

  expect(ids).toEqual(whole)
})

test('`after` needs the id of an own job, and no page', async () => {
  const { call, list } = await userWithJobs(2)
  const other = await userWithJobs(1)
  const [mine] = (await list('')).jobs
  const [foreign] = (await other.list('')).jobs
  const status = async (query: string) => (await call('GET', `/api/v1/jobs?${query}`)).status

  expect(await status(`after=${mine?.id}&page=1`)).toBe(200)
  expect(await status(`after=${mine?.id}&page=2`)).toBe(400)
  expect(await status('after=1')).toBe(400)
  expect(await status(`after=${foreign?.id}`)).toBe(404)
  expect(await status(`after=${randomUUID()}`)).toBe(404)
})
