import { expect, test } from 'vitest'
import { startBrowser } from './harness/browser.ts'
import { npmStart } from './harness/npm-start.ts'
import { JOB_ENDS } from './harness/waits.ts'

// The only file whose product is started as users start it.
const started = await npmStart({ COLLECT_RUNG: 'http' })
const openTab = await startBrowser(started.url)

test('the link of npm start opens a running demo job, whose places cost nothing, and the list names the next steps', async () => {
  const page = await openTab()

  await page.goto(started.signInLink)

  await page.getByRole('heading', { name: /^Demo: cafés/ }).waitFor()
  await page.getByText('demo: simulated city, costs nothing').waitFor()
  expect(page.url()).toMatch(/\/console\/jobs\/[0-9a-f-]{36}$/) // without the token
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Create a job' }).waitFor()
  for (const name of ['Create an API key', 'Get notified of finished jobs']) {
    await page.getByRole('main').getByRole('link', { name }).waitFor()
  }
  await page.getByRole('main').getByRole('link', { name: 'Open the demo job' }).click()
  const places = page.getByRole('table', { name: 'Places of this job' })
  await places.getByRole('row').nth(1).waitFor(JOB_ENDS)
  await page.getByRole('region', { name: 'Figures of the job' }).getByText('0.00 credits spent').waitFor()
  await page.goto('/console/credits') // nothing is sold here
  await page.getByRole('button', { name: 'Grant credits' }).click()
  await page.getByRole('textbox', { name: 'Credits' }).waitFor()
}, 180_000)

test('a start whose output is no terminal prints neither the key nor the link', () => {
  expect(started.output).not.toContain('svc_')
  expect(started.output).not.toContain('#link=')
  expect(started.output).toMatch(/another one: DATA_DIR='\S+' npm run ops -- users sign-in-link$/m)
})
