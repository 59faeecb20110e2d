// @vitest-environment happy-dom
import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { deletions } from '../../../coordinator/console/src/jobs/deletions.ts'
import { NO_CONNECTION, type Routes, refused, Undocumented } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { apiKey, balance, currentSession, idOf, job, jobList, jobRoutes, monitor, place } from './harness/samples.ts'

const AWAY = refused(503, 'The database is away.')
const SIGNED_OUT = refused(401, 'The session has ended.')

/** Opens a letter to the operators, whose session ends before it is sent. */
async function openEndedSession(routes: Routes) {
  const page = openConsole('support', routes)
  await page.fill('Subject', 'Half a thought')
  await page.fill('Message', 'The rest of it.')
  page.routes['GET /auth/session'] = SIGNED_OUT
  page.routes['POST /api/v1/support'] = SIGNED_OUT
  await page.press('Send')
  await page.findByRole('dialog', { name: 'You are signed out' })
  return page
}

test('a session that ends in a form leaves the form, which can be sent after the next sign-in', async () => {
  const page = await openEndedSession({})
  page.routes['GET /auth/session'] = currentSession()
  page.routes['POST /api/v1/support'] = { success: true }
  page.routes['POST /auth/link'] = undefined

  location.hash = '#link=a-token'

  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
  expect(page.sentTo('POST /auth/link')).toEqual([{ token: 'a-token' }])
  expect(location.hash).toBe('')
  expect(page.valueOf('Subject')).toBe('Half a thought')
  await page.press('Send')
  await page.see('Your message was received.')
})

test('after a session has ended, another user sees nothing of the first', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  const page = await openEndedSession({})
  page.routes['GET /auth/session'] = currentSession({ id: idOf(2), email: 'eve@example.com' })
  page.routes['POST /auth/link'] = undefined

  location.hash = '#link=a-token'

  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(page.queryByLabelText('Subject')).toBeNull()
  expect(document.body.textContent).not.toContain('ada@example.com')
})

test('a page stays when it cannot be read again (503), says since when it is old, and recovers by itself', async () => {
  const page = openConsole('jobs', { 'GET /api/v1/jobs': jobList([job({ name: 'Still here' })]) })
  await page.findByRole('link', { name: 'Still here' })

  page.routes['GET /api/v1/jobs'] = AWAY
  page.pass()

  await page.see(/^Not up to date since \d\d:\d\d$/)
  await page.see('The database is away. The page tries again by itself.')
  page.getByRole('link', { name: 'Still here' })
  page.routes['GET /api/v1/jobs'] = jobList([job({ name: 'Here again' })])
  page.pass()
  await page.findByRole('link', { name: 'Here again' })
  await page.gone('Not up to date')
})

test('a page that cannot be read at first (503) says why, and recovers by itself', async () => {
  const page = openConsole('credits', { 'GET /api/v1/credits/balance': AWAY })
  await page.seeAlert('The database is away.')
  page.routes['GET /api/v1/credits/balance'] = balance()
  page.pass()
  await page.see('Available')
})

test('a fault of one page leaves the others, and offers its details', async () => {
  const fails = /Cannot read properties of null/
  const routes = { 'GET /api/v1/credits/balance': new Undocumented(null), 'GET /api/v1/api-keys': [apiKey()] }
  const page = openConsole('credits', routes, { fails })
  await page.see('The console has a fault')
  await page.findByRole('button', { name: 'Copy details' })
  await page.click('link', 'Keys')
  await page.findByRole('table')
})

test('a slow network shows that it loads, and a form that is sent twice is sent once', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const page = openConsole('support', {
    'POST /api/v1/support': async () => {
      await arrived
      return { success: true }
    },
  })
  await page.fill('Subject', 'Slow')
  await page.fill('Message', 'Very slow.')
  const send = page.getByRole('button', { name: 'Send' })
  fireEvent.click(send)
  await new Promise<void>((resolve) => process.nextTick(resolve)) // the microtasks of the first click, and no timer
  expect(send.hasAttribute('data-loading')).toBe(true)
  fireEvent.click(send)
  arrive()
  await page.see('Your message was received.')
  expect(page.sentTo('POST /api/v1/support')).toEqual([{ category: 'bug', subject: 'Slow', message: 'Very slow.' }])
})

test('a wrong clock of the machine changes no duration', async () => {
  const now = Date.now()
  const page = openConsole('jobs', {
    'GET /api/v1/jobs': jobList([job({ name: 'Just now', created_at: new Date(now).toISOString() })]),
  })
  page.headers.date = new Date(now).toUTCString()
  vi.spyOn(Date, 'now').mockReturnValue(now + 3 * 3_600_000)
  await page.findByRole('row', { name: /Just now .* now/ })
})

test('two tabs that change one monitor keep the changes of both, and say when both changed the same', async () => {
  let stored = monitor()
  const page = openConsole(`monitors/${stored.id}?tab=settings`, {
    'GET /api/v1/monitors/{id}': () => stored,
    'PATCH /api/v1/monitors/{id}': ({ body: { job: _, ends_at: __, pause_reason: ___, ...change } }) => {
      stored = { ...stored, ...change, updated_at: new Date().toISOString() }
      return stored
    },
  })
  fireEvent.click(await page.findByLabelText('Report changes of ratings', { exact: false }))
  const changeElsewhere = (change: Partial<typeof stored>) => {
    stored = { ...stored, ...change, updated_at: new Date().toISOString() }
    page.pass()
  }

  changeElsewhere({ schedule: { cron: '0 7 * * 2', timezone: 'Europe/Berlin' } })
  await waitFor(() => expect(page.valueOf('Time')).toBe('07:00'))
  await page.press('Save settings')
  await page.see('The settings are saved.')
  expect(stored).toMatchObject({ watch_ratings: true, schedule: { cron: '0 7 * * 2' } })

  await page.fill('Name', 'Mine')
  changeElsewhere({ name: 'Theirs' })
  await page.see('Changed elsewhere meanwhile')
  await page.press('Take their change')
  expect(page.valueOf('Name')).toBe('Theirs')
})

test('a deletion that fails shows the job again and says so; one that was sent offers no undo', async () => {
  const page = openConsole('jobs', {
    'GET /api/v1/jobs': jobList([job({ name: 'To stay' })]),
    'DELETE /api/v1/jobs/{id}': AWAY,
  })
  await page.findByRole('link', { name: 'To stay' })
  await page.choose('To stay', 'Delete')
  await page.findByRole('button', { name: 'Undo' })
  expect(page.queryByRole('link', { name: 'To stay' })).toBeNull()

  await deletions.sendAll()

  await page.see('“To stay” was not deleted')
  await page.findByRole('link', { name: 'To stay' })
  await waitFor(() => expect(page.queryByRole('button', { name: 'Undo' })).toBeNull())
})

test('an export that is refused says why', async () => {
  const ended = job({ result_count: 3 })
  const page = openConsole(`jobs/${ended.id}`, {
    ...jobRoutes(ended, [place(1), place(2), place(3)]),
    'GET /api/v1/jobs/{id}/download': refused(503, 'Too many exports run now.'),
  })
  await page.press('Export')
  await page.click('menuitem', 'CSV')
  await page.see('Too many exports run now.')
})

test('the details of a place stay open, and no place moves, while its job stores more', async () => {
  const stored = (count: number) => Array.from({ length: count }, (_, nth) => place(nth + 1))
  const { ended_at: _, ...begun } = job({ status: 'running' })
  const running = (count: number) => jobRoutes({ ...begun, result_count: count }, stored(count))
  const page = openConsole(`jobs/${begun.id}?page=3`, running(110))
  await page.see('101 to 110 of 110 places')
  const names = () => [...document.querySelectorAll('.place-name')].map(({ textContent }) => textContent)
  const before = names()
  expect(before).toHaveLength(10)
  fireEvent.click(page.getByText('Place 110'))
  await within(await page.findByRole('dialog')).findByRole('heading', { name: 'Place 110' })

  Object.assign(page.routes, running(260))
  page.pass()

  await page.see('101 to 150 of 260 places')
  expect(names().slice(0, 10)).toEqual(before)
  within(page.getByRole('dialog')).getByRole('heading', { name: 'Place 110' })
})

test('a form that fails without an answer keeps what was entered', async () => {
  const page = openConsole('keys', { 'POST /api/v1/api-keys': NO_CONNECTION })
  await page.press('New key')
  await page.fill('What is the key for?', 'The other office')
  await page.press('Create key')
  await page.see('The coordinator does not answer. Check that it runs')
  expect(page.valueOf('What is the key for?')).toBe('The other office')
})
