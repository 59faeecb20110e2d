import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import type { Page, Route } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { storePlaces } from '../bench/api/places.ts'
import { faultsInEachLook } from './accessibility.ts'
import { QUICK, startConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { SOON } from './harness/waits.ts'

const { city, db, newUser } = await startConsole()

/** What Chromium logs of answers that a test puts in place of the server's. */
const FAILS = { fails: /Failed to load resource|net::ERR_|dynamically imported module/ }

const refusal = (status: number, message: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  json: { code: status, error: 'a_test', message, request_id: 'a-request' },
})

const refuse =
  (...answer: Parameters<typeof refusal>) =>
  (route: Route) =>
    route.fulfill(refusal(...answer))

/** A delay of the map site's answers during which nothing is collected. */
const STUCK = { min: 60_000, max: 60_000 }

const signOutEverywhere = (user: User) => sessionsOf(db).deleteMany({ user_id: user.id })

const notice = (page: Page) => page.getByText(/^Not up to date since \d\d:\d\d$/)

/** Creates an ended job with a number of stored places. */
async function jobWithPlaces({ client, id: user_id }: User, places: number): Promise<string> {
  const job_id = await client.create({ name: 'Large', keywords: ['bakery'], max_results: 1 })
  await client.ended(job_id)
  await storePlaces(db, { user_id, job_id }, places)
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { 'totals.places': places } })
  return job_id
}

test('a session that ends in a form leaves the form, which can be sent after the next sign-in', async () => {
  const user = await newUser()
  const page = await user.openTab()
  await page.goto('/console/support')
  await page.getByLabel('Subject').fill('Half a thought')
  await page.getByLabel('Message').fill('The rest of it.')
  await signOutEverywhere(user)
  await page.getByRole('button', { name: 'Send' }).click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.waitFor()
  expect(await faultsInEachLook(page, 'first', '[role=dialog]')).toEqual([])

  await page.evaluate(`location.assign(${JSON.stringify(new URL(await user.signInLink()).hash)})`)

  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Subject').inputValue()).toBe('Half a thought')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your message was received.').waitFor()
})

test('after a session has ended, another user sees nothing of the first', async () => {
  const [first, second] = [await newUser(), await newUser()]
  const page = await first.openTab()
  await page.goto('/console/support')
  await page.getByLabel('Subject').fill('A secret')
  await signOutEverywhere(first)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()

  await page.evaluate(`location.assign(${JSON.stringify(new URL(await second.signInLink()).hash)})`)

  await expect.poll(() => page.getByLabel('Subject').inputValue(), SOON).toBe('')
  await page.getByRole('button', { name: 'Your settings' }).click()
  await page.getByText(`Signed in as ${second.email}`).waitFor()
})

test('a page stays when it cannot be read again (503), says since when it is old, and recovers by itself', async () => {
  const user = await newUser()
  await user.client.create({ name: 'Still here', keywords: ['hotel'], max_results: 1 })
  const page = await user.openTab(FAILS)
  await page.goto('/console/jobs')
  await page.getByRole('link', { name: 'Still here' }).waitFor()

  await page.route('**/api/v1/jobs?*', refuse(503, 'The database is away.'))

  await notice(page).waitFor()
  await page.getByText('The database is away. The page tries again by itself.').waitFor()
  expect(await page.getByRole('link', { name: 'Still here' }).count()).toBe(1)
  await page.unroute('**/api/v1/jobs?*')
  await notice(page).waitFor({ state: 'detached' })
})

test('a page that cannot be read at first (503) says why, and recovers by itself', async () => {
  const page = await (await newUser()).openTab(FAILS)
  await page.route('**/api/v1/credits/balance', refuse(503, 'The database is away.'))
  await page.goto('/console/credits')
  await page.getByRole('alert').filter({ hasText: 'The database is away.' }).waitFor()
  await page.unroute('**/api/v1/credits/balance')
  await page.getByText('Available').waitFor()
})

test('an upgrade under an open tab loads the page anew, and then the page that was asked for is there', async () => {
  const page = await (await newUser()).openTab(FAILS)
  await page.goto('/console/jobs')
  await page.getByRole('link', { name: 'Credits', exact: true }).waitFor()
  await page.evaluate(`window.before = true`)
  const isGone = (url: URL) => url.pathname.includes('/assets/credits-page')
  await page.route(isGone, refuse(404, 'This path does not exist.'))
  page.once('domcontentloaded', () => void page.unroute(isGone)) // the new build has it

  await page.getByRole('link', { name: 'Credits', exact: true }).click()

  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
  expect(await page.evaluate(`window.before`)).toBeUndefined()
})

test('a fault of one page leaves the others, and offers its details', async () => {
  const page = await (await newUser()).openTab({ fails: /./ })
  await page.route('**/api/v1/credits/balance', (route) => route.fulfill({ json: null }))
  await page.goto('/console/credits')
  await page.getByText('The console has a fault').waitFor()
  await page.getByRole('button', { name: 'Copy details' }).waitFor()
  expect(await faultsInEachLook(page, 'first')).toEqual([])
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await page.getByRole('table').waitFor()
})

test('a slow network shows that it loads, and a form that is sent twice is sent once', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  await page.route('**/api/v1/support', async (route) => {
    await arrived
    await route.continue()
  })
  let requests = 0
  page.on('request', (request) => request.url().endsWith('/support') && request.method() === 'POST' && requests++)
  await page.goto('/console/support')
  await page.getByLabel('Subject').fill('Slow')
  await page.getByLabel('Message').fill('Very slow.')
  const send = page.getByRole('button', { name: 'Send' })
  await send.click()
  await send.click({ force: true })
  arrive()
  await page.getByText('Your message was received.').waitFor()
  expect(requests).toBe(1)
})

test('a map style that is down is replaced by the built-in map', async () => {
  const page = await (await newUser()).openTab(FAILS)
  await page.route('**/console/jobs/new', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '<meta name="map-style-url" content=""',
      '<meta name="map-style-url" content="/console/missing.json"',
    )
    await route.fulfill({ response, body })
  })
  await page.goto('/console/jobs/new')
  await page.getByText('this is the built-in one').waitFor()
  await page.locator('.map[data-drawn]').waitFor()
})

test('a wrong clock of the machine changes no duration', async () => {
  const user = await newUser()
  await user.client.create({ name: 'Just now', keywords: ['hotel'], max_results: 1 })
  const page = await user.openTab()
  await page.addInitScript(`const now = Date.now.bind(Date); Date.now = () => now() + 3 * 3_600_000`)
  await page.goto('/console/jobs')
  await page.getByRole('row', { name: /Just now .* now/ }).waitFor()
})

test('two tabs that change one monitor keep the changes of both, and say when both changed the same', async () => {
  const user = await newUser()
  const job = { name: 'Weekly', keywords: ['bakery'], language: 'en' }
  const schedule = { cron: '0 6 * * 1', timezone: 'Europe/Berlin' }
  const created = await user.client.call('POST', '/api/v1/monitors', { name: 'Weekly', schedule, job })
  const { id } = created.body as { id: string }
  const path = `/api/v1/monitors/${id}`
  const page = await user.openTab()
  await page.goto(`/console/monitors/${id}?tab=settings`)
  await page.getByLabel('Report changes of ratings').check()

  await user.client.call('PATCH', path, { schedule: { ...schedule, cron: '0 7 * * 2' } })
  await expect.poll(() => page.getByLabel('Time').inputValue(), { timeout: 30_000 }).toBe('07:00')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('The settings are saved.').waitFor()
  expect((await user.client.call('GET', path)).body).toMatchObject({
    watch_ratings: true,
    schedule: { cron: '0 7 * * 2' },
  })

  await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
  await user.client.call('PATCH', path, { name: 'Theirs' })
  await page.getByText('Changed elsewhere meanwhile').waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Take their change' }).click()
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Theirs')
}, 120_000)

test('a deletion that fails shows the job again and says so; one that was sent offers no undo', async () => {
  const user = await newUser()
  await user.client.create({ name: 'To stay', keywords: ['hotel'], max_results: 1 })
  const page = await user.openTab(FAILS)
  await page.goto('/console/jobs')
  const remove = async () => {
    await page.getByRole('button', { name: 'Actions for To stay' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await page.route('**/api/v1/jobs/*', refuse(503, 'The database is away.'))
  await remove()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.hover() // the time to undo goes on under the pointer
  await page.getByText('“To stay” was not deleted').waitFor()
  expect(await undo.count()).toBe(0)
  await page.getByRole('link', { name: 'To stay' }).waitFor()
})

test('an export that is refused says why', async () => {
  const user = await newUser()
  const id = await jobWithPlaces(user, 3)
  const page = await user.openTab(FAILS)
  await page.route('**/download?*', refuse(503, 'Too many exports run now.'))
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await page.getByText('Too many exports run now.').waitFor()
})

test('the details of a place stay open, and no place moves, while its job stores more', async () => {
  const user = await newUser()
  city.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
  const id = await user.client.create({ name: 'Growing', keywords: ['hotel'], max_results: 500 })
  const store = async (places: number) => {
    await storePlaces(db, { user_id: user.id, job_id: id }, places)
    await jobsOf(db).updateOne({ _id: id }, { $set: { 'totals.places': places } })
  }
  await store(150)
  const page = await user.openTab(FAILS)
  await page.route('**/events?*', refuse(429, 'Too many streams.')) // it would not see what the test stores
  await page.goto(`/console/jobs/${id}?page=3`)
  await page.getByText('101 to 150 of 150 places').waitFor()
  const names = () => page.locator('.place-name').allTextContents()
  const before = await names()
  await page.locator('.place-name').last().click()
  const title = await page.getByRole('dialog').getByRole('heading').first().textContent()

  await store(260)

  await page.getByText('101 to 150 of 260 places').waitFor()
  expect(await names()).toEqual(before)
  expect(await page.getByRole('dialog').getByRole('heading').first().textContent()).toBe(title)
}, 120_000)

test('a form that fails without an answer keeps what was entered', async () => {
  const page = await (await newUser()).openTab(FAILS)
  await page.goto('/console/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('What is the key for?').fill('The other office')
  await page.route('**/api/v1/api-keys', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('The coordinator does not answer. Check that it runs').waitFor()
  expect(await page.getByLabel('What is the key for?').inputValue()).toBe('The other office')
})
