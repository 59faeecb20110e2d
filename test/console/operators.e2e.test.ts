import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { newExit } from '@placefleet/shared/exits/rules'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { volume } from '../harness/volume.ts'
import { startConsole } from './harness/console.ts'
import { JOB_ENDS } from './harness/waits.ts'
import { addAgentWithoutChromium } from './shown.ts'

const { city, db, newUser, openTab } = await startConsole()

test('an operator enrols an agent, drains it and revokes its token', async () => {
  const user = await newUser('operator')
  const page = await user.openTab()
  await page.goto('/console/fleet')
  await page.getByRole('button', { name: 'New agent' }).click()
  await page.getByLabel('Name of the agent').fill('attic')
  await page.getByRole('button', { name: 'Enrol an agent' }).click()
  await page.getByRole('region', { name: 'Settings of the agent' }).getByText('AGENT_TOKEN=agt_').waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()

  const agents = page.getByRole('table', { name: 'Agents' })
  await agents.getByRole('row', { name: /^attic .*enrolled/ }).waitFor()
  await agents
    .getByText(/^Idle: /)
    .first()
    .waitFor() // the agent of npm start
  await choose(page, 'attic', 'Drain')
  await choose(page, 'attic', 'Revoke')
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await agents.getByRole('row', { name: /^attic .*revoked/ }).waitFor()
})

test('an operator adds a proxy to the pool, which is not shown again, and removes it', async () => {
  const user = await newUser('operator')
  const page = await user.openTab()
  await page.goto('/console/fleet')
  const field = page.getByLabel('Proxies for jobs that bring none')
  await field.fill('http://me:hidden@10.0.0.1:8080')
  await page.getByRole('button', { name: 'Add proxies' }).click()
  await page.getByText('Line 1: The proxy points into a private').waitFor()
  await field.fill('http://me:hidden@pool.example.com:8080')
  await page.getByRole('button', { name: 'Add proxies' }).click()
  const row = page.getByRole('table', { name: 'Addresses and proxies' }).getByRole('row', { name: /^Proxy .*pool/ })
  await row.getByText('not used yet').waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await page.content()).not.toContain('pool.example.com')
  await row.getByRole('button', { name: /^Remove proxy .* from the pool/ }).click()
  await row.waitFor({ state: 'detached' })
})

test('the console shows times in a browser of a host without a locale', async () => {
  const user = await newUser('operator')
  const page = await user.openTab()
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['en-US@posix'] })
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })
  })
  await page.goto('/console/fleet')
  await page.getByRole('table', { name: 'Agents' }).waitFor()
  expect(await page.getByText('The console has a fault').count()).toBe(0)
})

test('an operator wakes an exit that rests', async () => {
  const name = 'refused yesterday'
  const [now, day] = [Date.now(), 86_400_000]
  const rest = { reason: 'blocked', from: now, until: now + day } as const
  const unused = { users: [], verdicts: {}, counted_since: new Date(), used_at: new Date(), revision: 'first' }
  const state = { ...newExit({ restMs: 60_000 }), rest, canaryDue: true }
  await exitsOf(db).insertOne({ _id: 'refused', kind: 'direct', name, state, last_verdict: 'exit_refused', ...unused })
  const user = await newUser('operator')
  const page = await user.openTab()
  await page.goto('/console/fleet')
  const row = page
    .getByRole('table', { name: 'Addresses and proxies' })
    .getByRole('row', { name: /^refused yesterday/ })
  await row.getByText('The map site refused the requests. Until').waitFor()
  await row.getByRole('button', { name: 'End the pause of refused yesterday' }).click()
  await row.getByText('sends', { exact: true }).waitFor()
  expect(await row.getByRole('button').count()).toBe(0)
})

test('an operator lets an agent check the paths of its exit, and sees what each door answered', async () => {
  const user = await newUser('operator')
  const id = await user.client.create({ name: 'Makes the exit known', keywords: ['bakery'], max_results: 1 })
  await user.client.ended(id)
  const page = await user.openTab()
  await page.goto('/console/fleet')
  const exits = page.getByRole('table', { name: 'Addresses and proxies' })
  await exits
    .getByRole('row', { name: /cellar/ }) // the agent that runs; other tests only record some
    .getByRole('button', { name: /^Check / })
    .click()
  const paths = exits.getByRole('table', { name: 'What the map site answered' })
  await paths.getByRole('row', { name: /^plain HTTP search whole 200 / }).waitFor(JOB_ENDS)
  await paths.getByRole('row', { name: /^plain HTTP GetLocalBoqProxy whole 200 / }).waitFor()
})

test('an agent that cannot start Chromium has a badge, and the sentence that mends it', async () => {
  const user = await newUser('operator')
  const message = await addAgentWithoutChromium(db)
  const page = await user.openTab()
  await page.goto('/console/fleet')
  const row = page.getByRole('table', { name: 'Agents' }).getByRole('row', { name: /^shed / })
  await row.getByText('No Chromium').waitFor()
  await row.getByText(message).waitFor()
})

test('an operator reads who collects the rest of a settled job', async () => {
  const user = await newUser('operator')
  const job = await user.client.create({ name: 'Cut short', keywords: ['hotel'], language: 'en', max_results: 3 })
  await user.client.ended(job)
  await jobsOf(db).updateOne({ _id: job }, { $set: { status: 'cancelled' } })
  const page = await user.openTab()
  await page.goto(`/console/operations/jobs/${job}`)
  await page.getByText('The user can start “Collect the rest”.').waitFor()
})

test('an operator creates a user, grants credits, makes a sign-in link and sets prices', async () => {
  const user = await newUser('operator')
  const page = await user.openTab()
  await page.goto('/console/operations?tab=users')
  await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
  await page.getByRole('button', { name: 'Create user' }).click()
  await choose(page, 'ada@example.com', 'Grant credits')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Credits').fill('12')
  await dialog.getByLabel('Reason').fill('Welcome')
  await dialog.getByRole('button', { name: 'Grant' }).click()
  await page.getByText('The credits are granted').waitFor()
  await choose(page, 'ada@example.com', 'Sign-in link')
  const link = (await page.getByRole('region', { name: 'The sign-in link' }).textContent()) ?? ''
  const ada = await openTab()
  await ada.goto(link)
  await ada.getByText('demo: simulated city').waitFor()
  await ada.goto('/console/fleet')
  await ada.getByText('This page is for operators').first().waitFor()
  await ada.goto('/console/credits')
  await ada.locator('.figure', { hasText: 'Balance' }).getByText('12.00').waitFor()

  await page.goto('/console/operations?tab=prices')
  await page.getByLabel('From').fill('2099-01-01T00:00')
  await page.getByLabel('Reviews').fill('0.5')
  await page.getByRole('button', { name: 'Set prices' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Set prices' }).click()
  await page.getByText('The prices are set').waitFor()
  expect((await user.client.call('GET', '/api/v1/admin/prices')).body).toMatchObject({
    prices: expect.arrayContaining([expect.objectContaining({ from: '2098-12-31T23:00:00.000Z' })]),
  })
})

test("a job whose proxy fails says why in the reader's language, and operators see its task and each attempt", async () => {
  const user = await newUser('operator')
  const { proxy } = city
  proxy.setFailure(407)
  onTestFinished(() => proxy.setFailure(undefined))
  const id = await user.client.create({
    name: 'Failing',
    keywords: ['hotel'],
    max_results: 5,
    proxies: [proxy.url],
  })
  await user.client.ended(id)
  const reasons = [
    ['de-DE', /^1: Er verlangt Benutzer und Passwort\. \(HTTP 407\)$/],
    ['en-GB', /^1: It requires a user and a password\. \(HTTP 407\)$/],
  ] as const
  for (const [locale, reason] of reasons.slice(0, volume(1, 2))) {
    const page = await user.openTab({ locale })
    await page.goto(`/console/jobs/${id}`)
    await page.getByRole('listitem').filter({ hasText: reason }).waitFor(JOB_ENDS)
  }
  const page = await user.openTab()
  await page.goto('/console/fleet')
  await page
    .getByRole('status')
    .getByText(/failed in the last hour, .*requires a user and password \(407\)/)
    .waitFor()
  await page.goto('/console/operations')
  await page.getByRole('table', { name: 'The last failed tasks' }).getByRole('link', { name: id }).first().click()
  const tasks = page.getByRole('table', { name: 'Tasks' })
  await tasks
    .getByText(/^Attempt \d · no proxy worked · .* · agent /)
    .first()
    .waitFor()
}, 240_000)

/** Chooses an action from the menu of a row. */
async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
