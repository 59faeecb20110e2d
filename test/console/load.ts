import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { storePlaces } from '../bench/api/places.ts'
import type { RunningConsole } from './harness/browser.ts'

const FIRST_LOAD_BYTES = 250 * 1024

/** Tests of what a first page weighs, and of long lists. */
export function loadTests({ product, openTab }: RunningConsole): void {
  test('the first page loads at most 250 KB of scripts and styles, and neither map nor chart', async () => {
    const page = await openTab()

    await page.goto('/console/jobs')
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()

    const files = await loaded(page)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter(({ name }) => /map|chart/.test(name))).toEqual([])
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
  })

  test('all 500 places of a job can be reached', async () => {
    const { client, db, ownerId: user_id } = product
    const job_id = await client.create({ name: 'Large', keywords: ['bakery'], max_results: 1 })
    await client.ended(job_id)
    await storePlaces(db, { user_id, job_id }, 500)
    await jobsOf(db).updateOne({ _id: job_id }, { $set: { 'totals.places': 500 } })
    const page = await openTab()

    await page.goto(`/console/jobs/${job_id}`)

    await page.getByText('1 to 50 of 500 places').waitFor()
    await page.getByRole('button', { name: 'Page 10' }).click()
    await page.getByText('451 to 500 of 500 places').waitFor()
  })
}

/** The bytes of scripts and styles that went over the wire for the present page. */
async function loaded(page: Page): Promise<{ name: string; bytes: number }[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.(m?js|css)$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
  )
}
