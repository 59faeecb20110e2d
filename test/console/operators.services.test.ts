import { exitsOf } from '@placefleet/coordinator/exits/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { newExit } from '@placefleet/shared/exits/rules'
import { waitFor, within } from '@testing-library/dom'
import { expect, onTestFinished, test } from 'vitest'
import { startProduct } from './harness/product.ts'
import { startTabs, type Tab } from './harness/tab.ts'
import { addAgentWithoutChromium } from './shown.ts'

const product = await startProduct()
const { city, db } = product
const { newUser, openTab } = await startTabs(product)

/** Waits for a row of a table. */
const rowOf = async (tab: Tab, table: string, name: RegExp) =>
  (await tab.screen.findByRole('table', { name: table }).then(within)).findByRole('row', { name })

test('an operator enrols an agent, drains it and revokes its token', async () => {
  const tab = await (await newUser('operator')).openTab()
  await tab.goto('/console/fleet')
  await tab.press('New agent')
  await tab.fill('Name of the agent', 'attic')
  await tab.press('Enrol an agent')
  await within(await tab.screen.findByRole('region', { name: 'Settings of the agent' })).findByText(/AGENT_TOKEN=agt_/)
  await tab.press('I have copied it')

  await rowOf(tab, 'Agents', /^attic .*enrolled/)
  await tab.see(/^Idle: /) // the agent of npm start
  await tab.choose('attic', 'Drain')
  await tab.choose('attic', 'Revoke')
  await tab.pressInDialog('Revoke')
  await rowOf(tab, 'Agents', /^attic .*revoked/)
})

test('an operator adds a proxy to the pool, which is not shown again, and removes it', async () => {
  const tab = await (await newUser('operator')).openTab()
  await tab.goto('/console/fleet')
  await tab.fill('Proxies for jobs that bring none', 'http://me:hidden@10.0.0.1:8080')
  await tab.press('Add proxies')
  await tab.see('Line 1: The proxy points into a private')
  await tab.fill('Proxies for jobs that bring none', 'http://me:hidden@pool.example.com:8080')
  await tab.press('Add proxies')
  const row = await rowOf(tab, 'Addresses and proxies', /^Proxy .*pool/)
  await within(row).findByText('not used yet')
  expect(tab.valueOf('Proxies for jobs that bring none')).toBe('')
  expect(tab.window.document.documentElement.outerHTML).not.toContain('pool.example.com')
  await tab.press(/^Remove proxy .* from the pool/)
  await waitFor(() => expect(tab.screen.queryByRole('row', { name: /^Proxy .*pool/ })).toBeNull(), tab)
})

test('the console shows times in a browser of a host without a locale', async () => {
  const tab = await (await newUser('operator')).openTab({ languages: ['en-US@posix'] })
  await tab.goto('/console/fleet')
  await tab.screen.findByRole('table', { name: 'Agents' })
  expect(tab.screen.queryByText('The console has a fault')).toBeNull()
})

test('an operator ends the pause of an address', async () => {
  const name = 'refused yesterday'
  const [now, day] = [Date.now(), 86_400_000]
  const rest = { reason: 'blocked', from: now, until: now + day } as const
  const unused = { users: [], verdicts: {}, counted_since: new Date(), used_at: new Date(), revision: 'first' }
  const state = { ...newExit({ restMs: 60_000 }), rest, canaryDue: true }
  await exitsOf(db).insertOne({ _id: 'refused', kind: 'direct', name, state, last_verdict: 'exit_refused', ...unused })
  const tab = await (await newUser('operator')).openTab()
  await tab.goto('/console/fleet')
  const row = () => rowOf(tab, 'Addresses and proxies', /^refused yesterday/)
  await within(await row()).findByText(/The map site refused the requests\. Until/)
  await tab.press('End the pause of refused yesterday')
  await within(await row()).findByText('sends')
  expect(within(await row()).queryAllByRole('button')).toHaveLength(0)
})

test('an operator lets an agent check its address, and sees what the map site answered to each request', async () => {
  const user = await newUser('operator')
  const id = await user.client.create({ name: 'Makes the address known', keywords: ['bakery'], max_results: 1 })
  await user.client.ended(id)
  const tab = await user.openTab()
  await tab.goto('/console/fleet')
  const row = await rowOf(tab, 'Addresses and proxies', /cellar/) // the agent that runs; other tests only record some
  await tab.user.click(within(row).getByRole('button', { name: /^Check / }))
  const answers = 'What the map site answered'
  await rowOf(tab, answers, /^plain HTTP search whole 200 /)
  await rowOf(tab, answers, /^plain HTTP GetLocalBoqProxy whole 200 /)
})

test('an agent that cannot start Chromium has a badge, and the sentence that mends it', async () => {
  const user = await newUser('operator')
  const message = await addAgentWithoutChromium(db)
  const tab = await user.openTab()
  await tab.goto('/console/fleet')
  const row = await rowOf(tab, 'Agents', /^shed /)
  await within(row).findByText('No Chromium')
  await within(row).findByText(message)
})

test('an operator reads who collects the rest of a settled job', async () => {
  const user = await newUser('operator')
  const job = await user.client.create({ name: 'Cut short', keywords: ['hotel'], language: 'en', max_results: 3 })
  await user.client.ended(job)
  await jobsOf(db).updateOne({ _id: job }, { $set: { status: 'cancelled' } })
  const tab = await user.openTab()
  await tab.goto(`/console/operations/jobs/${job}`)
  await tab.see('The user can start “Collect the rest”.')
})

test('an operator creates a user, grants credits and makes a sign-in link, by which the user sees only what is theirs', async () => {
  const tab = await (await newUser('operator')).openTab()
  await tab.goto('/console/operations?tab=users')
  await tab.fill('Email', 'ada@example.com')
  await tab.press('Create user')
  await tab.choose('ada@example.com', 'Grant credits')
  await tab.fill('Credits', '12')
  await tab.fill('Reason', 'Welcome')
  await tab.press('Grant')
  await tab.see('The credits are granted')
  await tab.choose('ada@example.com', 'Sign-in link')
  const link = new URL((await tab.screen.findByRole('region', { name: 'The sign-in link' })).textContent ?? '')
  const ada = await openTab()
  await ada.goto(link.pathname + link.hash)
  await ada.see('demo: simulated city')
  await ada.goto('/console/fleet')
  await ada.see('This page is for operators')
  await ada.goto('/console/credits')
  await waitFor(() => expect(ada.container.textContent).toMatch(/Balance\s*12\.00/), ada)
})

test('an operator sets prices from a time in their own zone', async () => {
  const user = await newUser('operator')
  const tab = await user.openTab()
  await tab.goto('/console/operations?tab=prices')
  await tab.fill('From', '2099-01-01T00:00')
  await tab.fill('Reviews', '0.5')
  await tab.press('Set prices')
  await tab.pressInDialog('Set prices')
  await tab.see('The prices are set')
  const from = new Date('2099-01-01T00:00').toISOString()
  expect((await user.client.call('GET', '/api/v1/admin/prices')).body).toMatchObject({
    prices: expect.arrayContaining([expect.objectContaining({ from })]),
  })
})

test("a job whose proxy fails says why in the reader's language, and operators see its task and each attempt", async () => {
  const user = await newUser('operator')
  const { proxy } = city
  proxy.setFailure(407)
  onTestFinished(() => proxy.setFailure(undefined))
  const request = { name: 'Failing', keywords: ['hotel'], max_results: 5, proxies: [proxy.url] }
  const id = await user.client.create(request)
  await user.client.ended(id)
  const reasons = [
    ['de-DE', /Er verlangt Benutzer und Passwort\. \(HTTP 407\)$/],
    ['en-GB', /It requires a user and a password\. \(HTTP 407\)$/],
  ] as const
  for (const [locale, reason] of reasons) {
    const reader = await user.openTab({ languages: [locale] })
    await reader.goto(`/console/jobs/${id}`)
    await reader.see(reason)
  }
  const tab = await user.openTab()
  await tab.goto('/console/fleet')
  await tab.see(/failed in the last hour, .*requires a user and password \(407\)/)
  await tab.goto('/console/operations')
  await tab.click('link', id)
  const tasks = within(await tab.screen.findByRole('table', { name: 'Tasks' }))
  expect(await tasks.findAllByText(/^Attempt \d · no proxy worked · .* · agent /)).not.toEqual([])
})
