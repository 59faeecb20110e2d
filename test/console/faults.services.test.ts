import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { waitFor } from '@testing-library/dom'
import { expect, onTestFinished, test } from 'vitest'
import { storePlaces } from '../bench/api/places.ts'
import { until } from '../harness/until.ts'
import { QUICK, startProduct } from './harness/product.ts'
import { type Answer, hurry, startTabs } from './harness/tab.ts'
import type { User } from './harness/user.ts'

const product = await startProduct()
const { city, db } = product
const { newUser } = await startTabs(product)

const refusal = (status: number, message: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  json: { code: status, error: 'a_test', message, request_id: 'a-request' },
})

const AWAY = refusal(503, 'The database is away.')

/** Nothing is collected while the map site's answers take this long. */
function stopCity(): void {
  city.site.setOptions({ latencyMs: { min: 60_000, max: 60_000 } })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
}

const signOutEverywhere = (user: User) => sessionsOf(db).deleteMany({ user_id: user.id })

const NOT_UP_TO_DATE = /^Not up to date since \d\d:\d\d$/

test('a session that ends in a form leaves the form, which can be sent after the next sign-in', async () => {
  const user = await newUser()
  const tab = await user.openTab()
  await tab.goto('/console/support')
  await tab.fill('Subject', 'Half a thought')
  await tab.fill('Message', 'The rest of it.')
  await signOutEverywhere(user)
  await tab.press('Send')
  await tab.screen.findByRole('dialog', { name: 'You are signed out' })

  tab.paste(await user.signInLink())

  await tab.gone(/^You are signed out$/)
  expect(tab.valueOf('Subject')).toBe('Half a thought')
  await tab.press('Send')
  await tab.see('Your message was received.')
})

test('after a session has ended, another user sees nothing of the first', async () => {
  const [first, second] = [await newUser(), await newUser()]
  const tab = await first.openTab()
  await tab.goto('/console/support')
  await tab.fill('Subject', 'A secret')
  await signOutEverywhere(first)
  await tab.press('Send')
  await tab.screen.findByRole('dialog', { name: 'You are signed out' })

  tab.paste(await second.signInLink())

  await until('the page is a new one', async () => tab.screen.queryByLabelText('Subject')?.value === '')
  await tab.press(/^Your settings/)
  await tab.see(`Signed in as ${second.email}`)
})

test('a page stays when it cannot be read again (503), says since when it is old, and recovers by itself', async () => {
  const user = await newUser()
  await user.client.create({ name: 'Still here', keywords: ['hotel'], max_results: 1 })
  const tab = await user.openTab({ prepare: hurry })
  await tab.goto('/console/jobs')
  await tab.screen.findByRole('link', { name: 'Still here' })

  const recover = tab.answer(/^\/api\/v1\/jobs\?/, () => AWAY)

  await tab.see(NOT_UP_TO_DATE)
  await tab.see('The database is away. The page tries again by itself.')
  tab.screen.getByRole('link', { name: 'Still here' })
  recover()
  await tab.gone(NOT_UP_TO_DATE)
})

test('a page that cannot be read at first (503) says why, and recovers by itself', async () => {
  const tab = await (await newUser()).openTab({ prepare: hurry })
  const recover = tab.answer(/^\/api\/v1\/credits\/balance$/, () => AWAY)
  await tab.goto('/console/credits')
  await tab.seeAlert('The database is away.')
  recover()
  await tab.see('Available')
})

test('a fault of one page leaves the others, and offers its details', async () => {
  const tab = await (await newUser()).openTab({ fails: /./ })
  tab.answer(/^\/api\/v1\/credits\/balance$/, () => ({ json: null }))
  await tab.goto('/console/credits')
  await tab.see('The console has a fault')
  await tab.screen.findByRole('button', { name: 'Copy details' })
  await tab.click('link', 'Keys')
  await tab.screen.findByRole('table')
})

test('a form that is sent twice on a slow network is sent once', async () => {
  const tab = await (await newUser()).openTab()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>()
  let requests = 0
  tab.answer(/^\/api\/v1\/support$/, ({ method }) => {
    if (method !== 'POST') return undefined
    requests++
    return arrived
  })
  await tab.goto('/console/support')
  await tab.fill('Subject', 'Slow')
  await tab.fill('Message', 'Very slow.')
  const send = await tab.screen.findByRole('button', { name: 'Send' })
  await tab.user.click(send)
  await waitFor(() => expect(send).toHaveProperty('disabled', true), tab)
  await tab.user.click(send)
  arrive(undefined)
  await tab.see('Your message was received.')
  expect(requests).toBe(1)
})

test('a wrong clock of the machine changes no duration', async () => {
  const user = await newUser()
  await user.client.create({ name: 'Just now', keywords: ['hotel'], max_results: 1 })
  const tab = await user.openTab({
    prepare: (window) => {
      const now = window.Date.now
      window.Date.now = () => now() + 3 * 3_600_000
    },
  })
  await tab.goto('/console/jobs')
  await tab.screen.findByRole('row', { name: /Just now .* now/ })
})

test('two tabs that change one monitor keep the changes of both, and say when both changed the same', async () => {
  const user = await newUser()
  const job = { name: 'Weekly', keywords: ['bakery'], language: 'en' }
  const schedule = { cron: '0 6 * * 1', timezone: 'Europe/Berlin' }
  const created = await user.client.call('POST', '/api/v1/monitors', { name: 'Weekly', schedule, job })
  const { id } = created.body as { id: string }
  const path = `/api/v1/monitors/${id}`
  const tab = await user.openTab({ prepare: hurry })
  await tab.goto(`/console/monitors/${id}?tab=settings`)
  await tab.user.click(await tab.screen.findByLabelText(/^Report changes of ratings/))

  await user.client.call('PATCH', path, { schedule: { ...schedule, cron: '0 7 * * 2' } })
  await until('the tab has the change', async () => tab.valueOf('Time') === '07:00')
  await tab.press('Save settings')
  await tab.see('The settings are saved.')
  expect((await user.client.call('GET', path)).body).toMatchObject({
    watch_ratings: true,
    schedule: { cron: '0 7 * * 2' },
  })

  await tab.fill('Name', 'Mine')
  await user.client.call('PATCH', path, { name: 'Theirs' })
  await tab.see('Changed elsewhere meanwhile')
  await tab.press('Take their change')
  expect(tab.valueOf('Name')).toBe('Theirs')
})

test('a deletion that fails shows the job again and says so; one that was sent offers no undo', async () => {
  const user = await newUser()
  await user.client.create({ name: 'To stay', keywords: ['hotel'], max_results: 1 })
  const tab = await user.openTab({ prepare: hurry })
  await tab.goto('/console/jobs')
  tab.answer(/^\/api\/v1\/jobs\/[^/?]+$/, () => AWAY)
  await tab.choose('To stay', 'Delete')
  await tab.user.hover(await tab.screen.findByRole('button', { name: 'Undo' })) // the time goes on under the pointer
  await tab.see('“To stay” was not deleted')
  await waitFor(() => expect(tab.screen.queryByRole('button', { name: 'Undo' })).toBeNull(), tab)
  await tab.screen.findByRole('link', { name: 'To stay' })
})

/** Makes a job look as if it had stored so many places. */
async function store({ id: user_id }: User, job_id: string, places: number): Promise<void> {
  await storePlaces(db, { user_id, job_id }, places)
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { 'totals.places': places } })
}

test('an export that is refused says why', async () => {
  const user = await newUser()
  const id = await user.client.create({ name: 'Large', keywords: ['bakery'], max_results: 1 })
  await user.client.ended(id)
  await store(user, id, 3)
  const tab = await user.openTab()
  tab.answer(/\/download\?/, () => refusal(503, 'Too many exports run now.'))
  await tab.goto(`/console/jobs/${id}`)
  await tab.press('Export')
  await tab.click('menuitem', /^CSV/)
  await tab.see('Too many exports run now.')
})

test('the details of a place stay open, and no place moves, while its job stores more', async () => {
  const user = await newUser()
  stopCity()
  const id = await user.client.create({ name: 'Growing', keywords: ['hotel'], max_results: 500 })
  await store(user, id, 150)
  const tab = await user.openTab({ prepare: hurry })
  tab.answer(/\/events\?/, () => refusal(429, 'Too many streams.')) // it would not see what the test stores
  await tab.goto(`/console/jobs/${id}?page=3`)
  await tab.see('101 to 150 of 150 places')
  const names = () => [...tab.window.document.querySelectorAll('.place-name')]
  const before = names().map(({ textContent }) => textContent)
  const title = () => tab.screen.getByRole('dialog').querySelector('h1, h2, h3').textContent
  await tab.press(names().at(-1)?.textContent ?? '')
  await tab.screen.findByRole('dialog')
  const opened = title()

  await store(user, id, 260)

  await tab.see('101 to 150 of 260 places')
  expect(names().map(({ textContent }) => textContent)).toEqual(before)
  expect(title()).toBe(opened)
})

test('a form that fails without an answer keeps what was entered', async () => {
  const tab = await (await newUser()).openTab()
  await tab.goto('/console/keys')
  await tab.press('New key')
  await tab.fill('What is the key for?', 'The other office')
  tab.answer(/^\/api\/v1\/api-keys$/, ({ method }) => (method === 'POST' ? 'no connection' : undefined))
  await tab.press('Create key')
  await tab.see('The coordinator does not answer. Check that it runs')
  expect(tab.valueOf('What is the key for?')).toBe('The other office')
})
