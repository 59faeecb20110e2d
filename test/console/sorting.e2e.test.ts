import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { expect, test } from 'vitest'
import { startConsole } from './harness/console.ts'
import { SOON } from './harness/waits.ts'

const { db, newUser } = await startConsole()

test('the heads of the list of jobs sort it as a whole, by a click and by keys, and the address keeps the order', async () => {
  const user = await newUser()
  const id = await user.client.create({ name: 'Job 01', keywords: ['hotel'], max_results: 1 })
  await user.client.ended(id)
  const job = await jobsOf(db).findOne({ _id: id })
  if (!job) throw new Error('the job is gone')
  const others = Array.from({ length: 25 }, (_, n) => ({
    ...job,
    _id: crypto.randomUUID(),
    name: `Job ${String(n + 2).padStart(2, '0')}`,
    created_at: new Date(job.created_at.getTime() + n + 1),
  }))
  await jobsOf(db).insertMany(others) // with the first one they are one more than a page shows
  const page = await user.openTab()
  await page.goto('/console/jobs')
  const table = page.getByRole('table', { name: 'Your jobs' })
  const first = () => table.getByRole('link').first().innerText()
  const sorted = (name: string) => table.getByRole('columnheader', { name }).getAttribute('aria-sort')
  await expect.poll(first, SOON).toBe('Job 26')
  expect([await sorted('Created'), await sorted('Name')]).toEqual(['descending', 'none'])

  await table.getByRole('button', { name: 'Name' }).click()
  await expect.poll(first, SOON).toBe('Job 01') // it was on the second page
  expect([await sorted('Created'), await sorted('Name')]).toEqual(['none', 'ascending'])
  await page.keyboard.press('Enter') // the head has the focus
  await expect.poll(first, SOON).toBe('Job 26')
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect.poll(first, SOON).toBe('Job 01')
  await page.reload()
  await expect.poll(first, SOON).toBe('Job 01')
  expect(await sorted('Name')).toBe('descending')
})
