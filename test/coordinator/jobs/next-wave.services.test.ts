import { searchOn } from '@placefleet/coordinator/jobs/search-on'
import { tasksOf } from '@placefleet/coordinator/tasks/documents'
import type { TaskCounts } from '@placefleet/coordinator/tasks/store'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'
import { testDatabase } from '../../harness/servers/database.ts'

const { db } = await testDatabase()

const SEARCHED: TaskCounts = {
  total: 1,
  ended: 1,
  failed: 0,
  running: 0,
  released: 0,
  waiting: { discover: 0, collect: 0 },
  searches: 1,
  searching: 0,
  failedSearches: 0,
  collecting: 0,
  planned: 0,
}
const CELL = { keyword: 'cafe', bounds: { south: 0, north: 1, west: 0, east: 1 } }

test.each([
  { when: '2,000 listed places are not collected', listed: 2_000, searches: 1 },
  { when: '2,001 listed places are not collected', listed: 2_001, searches: 0 },
  { when: '2,001 places are listed, and one task has ended', listed: 2_001, planned: 1, searches: 1 },
  { when: '2,001 places are listed, and one task runs', listed: 2_001, planned: 1, collecting: 1, searches: 0 },
  { when: 'a search is open', searching: 1, searches: 0 },
  { when: 'it lacks one place', places: 99, searches: 1 },
  { when: 'it has all places', places: 100, searches: 0 },
])('while $when, a job that exhausts its area begins $searches searches', async (row) => {
  const { listed = 0, places = 0, planned = 0, collecting = 0, searching = 0, searches } = row
  const running = sampleJob('user', { status: 'running', totals: { places, reviews: 0, images: 0 } })
  const job = { ...running, data: { ...running.data, exhaust: true, max_results: 100 } }
  const decideWave = async () => ({ after: 1, failed: 0, cells: [CELL], blocked: false })

  await searchOn({ db, decideWave }, job, { ...SEARCHED, planned, collecting, searching }, listed)

  expect(await tasksOf(db).countDocuments({ job_id: job._id })).toBe(searches)
})
