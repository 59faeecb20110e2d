import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { resultsOf } from '@placefleet/coordinator/results/documents'
import { resultExample } from '@placefleet/coordinator/results/schema'
import { startForwardProxy } from '@placefleet/deploy/simulation/proxies/forward-proxy'
import { Place } from '@placefleet/shared/place'
import type { Page, Request } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { storePlaces } from '../bench/api/places.ts'
import { volume } from '../harness/volume.ts'
import { chooseLanguage, faultsInEachLook } from './accessibility.ts'
import { QUICK, startConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { JOB_ENDS, SOON } from './harness/waits.ts'

const { city, db, newUser } = await startConsole()

/** A map site this slow answers nothing before the test has cancelled the job. */
const STUCK = { min: 60_000, max: 60_000 }

test('a job is cancelled, run again and deleted; a deletion can be taken back', async () => {
  const user = await newUser()
  const page = await user.openTab()
  const id = await stuckJob(user, 'To be cancelled')
  await page.goto(`/console/jobs/${id}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)

  await page.getByRole('button', { name: 'Run again' }).click()
  await expect.poll(() => page.url(), SOON).not.toContain(id)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)
  await page.getByRole('button', { name: 'Delete' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  const cut =
    '[...document.querySelectorAll(".mantine-Button-label")].filter((l) => l.scrollWidth > l.clientWidth).length'
  expect(await page.evaluate(cut)).toBe(0)
  await undo.click()
  const found = page.getByRole('link', { name: 'To be cancelled' })
  await expect.poll(() => found.count(), SOON).toBe(2)

  await page.getByRole('button', { name: 'Actions for To be cancelled' }).first().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.poll(() => found.count(), SOON).toBe(1)
  await page.goto('/console/jobs?search=to+be+cancelled') // who leaves the page no longer undoes
  await page.getByText('1 job', { exact: true }).waitFor()
  await page.getByLabel('Status').selectOption('running')
  await page.getByText('No job matches').waitFor()
  await page.reload()
  await page.getByText('No job matches').waitFor()
}, 240_000)

test('before its first place a job shows the parts of its area that it has searched', async () => {
  const user = await newUser()
  city.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
  const area = { lat: '52.52', lon: '13.405', radius: 5_000 }
  const id = await user.client.create({ name: 'Wide', keywords: ['hotel'], max_results: 100, ...area })
  const page = await user.openTab()
  const ring = [
    [13.3, 52.4],
    [13.5, 52.4],
    [13.5, 52.6],
    [13.3, 52.6],
    [13.3, 52.4],
  ]
  const part = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring] },
    properties: { keyword: 'hotel', state: 'searched', divided: false },
  }
  await page.route('**/coverage?format=geojson', (route) =>
    route.fulfill({ json: { type: 'FeatureCollection', features: [part] } }),
  )
  await page.goto(`/console/jobs/${id}`)
  await page.getByText('No places yet').waitFor()
  await page.locator('.map[data-drawn]').waitFor()
  await page.getByText('searched', { exact: true }).waitFor()
})

test('an ended demo job says what to do next; it can be run again and monitored', async () => {
  const user = await newUser()
  const demo = { name: 'Free hotels', keywords: ['hotel'], language: 'en', max_results: 3, demo: true }
  const id = await user.client.create(demo)
  await user.client.ended(id)
  const page = await user.openTab()
  await page.goto(`/console/jobs/${id}`)
  const next = page.getByRole('region', { name: 'The demo is over. What next?' })
  await next.getByText('npm run placefleet -- run hotel --demo').waitFor()
  expect(await faultsInEachLook(page, volume('first', 'all'))).toEqual([])

  await page.getByRole('button', { name: 'Run again' }).click()
  await expect.poll(() => page.url(), SOON).not.toContain(id)
  await page.getByText('demo: simulated city, costs nothing').waitFor()

  await page.goto(`/console/jobs/${id}`)
  await next.getByRole('link', { name: 'Monitor this demo' }).click()
  await page.getByText('The runs collect from the simulated city, and cost nothing.').waitFor()
}, 240_000)

/** The agent's own address is another one: jobs of other tests go on. */
const BLOCKED_ADDRESS = '127.0.0.9'

test('a blocked job says until when it waits', async () => {
  const user = await newUser()
  city.site.setOptions({ blocked: [BLOCKED_ADDRESS] })
  const proxy = await startForwardProxy({ resolve: () => undefined, localAddress: BLOCKED_ADDRESS })
  onTestFinished(proxy.close)
  const proxies = [proxy.url]
  const id = await user.client.create({ name: 'Blocked', keywords: ['hotel'], max_results: 5, proxies })
  const page = await user.openTab()
  await page.goto(`/console/jobs/${id}`)
  await page.getByText(/^Blocked by the map site until \d\d:\d\d\./).waitFor(JOB_ENDS)
  await user.client.call('POST', `/api/v1/jobs/${id}/cancel`)
}, 240_000)

test('a list of jobs shows a change within two seconds, and asks at most that often; a visible job page follows one event stream, a hidden tab does neither', async () => {
  const user = await newUser()
  const id = await stuckJob(user, 'Followed')
  const changed = await user.client.create({ name: 'Changed', keywords: ['hotel'] })
  const page = await user.openTab()
  await page.clock.install()
  await page.goto('/console/jobs')
  await page.getByRole('row', { name: /^Changed .*(pending|running)/ }).waitFor()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const asked = requestsOf(page)

  await user.client.call('POST', `/api/v1/jobs/${changed}/cancel`)
  await user.client.ended(changed)
  await asked.in(2_400)
  await page.getByRole('row', { name: /^Changed .*cancelled/ }).waitFor()
  const polls = (await asked.in(10_000)).filter((path) => path === '/api/v1/jobs')
  expect(polls.length).toBeGreaterThanOrEqual(4)
  expect(polls.length).toBeLessThanOrEqual(5)

  await page.clock.resume()
  const isStream = /\/events\?/
  await Promise.all([page.waitForRequest(isStream), page.getByRole('link', { name: 'Followed' }).click()])
  await expect.poll(() => asked.in(4_000), SOON).toEqual([])

  await Promise.all([
    page.waitForEvent('requestfailed', (request) => isStream.test(request.url())),
    see(page, 'hidden'),
  ])
  expect(await asked.in(60_000, 60_000)).toEqual([])

  await Promise.all([page.waitForRequest(isStream), see(page, 'visible')])
  await user.client.call('POST', `/api/v1/jobs/${id}/cancel`)
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor(JOB_ENDS)
}, 240_000)

test('all 500 places of a job can be reached', async () => {
  const user = await newUser()
  const { client, id: user_id } = user
  const job_id = await client.create({ name: 'Large', keywords: ['bakery'], max_results: 1 })
  await client.ended(job_id)
  await storePlaces(db, { user_id, job_id }, 500)
  await jobsOf(db).updateOne({ _id: job_id }, { $set: { 'totals.places': 500 } })
  const page = await user.openTab()

  await page.goto(`/console/jobs/${job_id}`)

  await page.getByText('1 to 50 of 500 places').waitFor()
  await page.getByRole('button', { name: 'Page 10' }).click()
  await page.getByText('451 to 500 of 500 places').waitFor()
})

/** What the page of the example place shows of fields that no search lists, and under which headings. */
const SECTIONS = [
  { en: 'Services', de: 'Leistungen', shows: /Dental care: Check-up – €40\.00/ },
  { en: 'Posts', de: 'Beiträge', shows: /Open on Sundays in March\./ },
  { en: 'Questions and answers', de: 'Fragen und Antworten', shows: /Is there parking\? Yes, behind the house\./ },
  { en: 'Popular dishes', de: 'Beliebte Gerichte', shows: /Meze/ },
  { en: 'People also search for', de: 'Wird auch gesucht', shows: /Old Port Dental \(★ 4\.4\)/ },
  { en: 'Topics of reviews', de: 'Themen der Rezensionen', shows: /friendly staff \(21\)/ },
] as const
const FACTS = [
  { en: 'Owner', de: 'Inhaber', shows: /nobody has claimed the place|niemand hat den Ort beansprucht/ },
  { en: 'Local address', de: 'Adresse vor Ort', shows: /Ανεξαρτησίας 12/ },
  { en: 'Phone (E.164)', de: 'Telefon (E.164)', shows: /\+35725000000/ },
  {
    en: 'Emails',
    de: 'E-Mails',
    shows: /hello@example\.com \((shared address, such as info@|gemeinsame Adresse wie info@)\)/,
  },
  { en: 'Time spent', de: 'Aufenthalt', shows: /People typically spend 30 min here/ },
  { en: 'Booking', de: 'Buchung', shows: /example\.com/ },
] as const

test('the page of a place shows what its owner offers and what visitors ask, in English and in German', async () => {
  const user = await newUser()
  const job_id = await user.client.create({ name: 'One', keywords: ['bakery'], max_results: 1 })
  await user.client.ended(job_id)
  const {
    email_list: emails,
    web_presence,
    id,
    user_id: _user,
    job_id: _job,
    created_at: _at,
    ...shown
  } = resultExample
  const place = Place.parse({ ...shown, place_key: '0x1:0x2', emails, claimed: false })
  const [stored] = await user.client.places(job_id)
  await resultsOf(db).updateOne({ _id: stored?.id ?? id }, { $set: { place, web_presence } })
  const page = await user.openTab()

  await page.goto(`/console/jobs/${job_id}?place=${stored?.id}`)

  for (const language of ['en', 'de'] as const) {
    if (language === 'de') await chooseLanguage(page, language)
    const details = page.getByRole('dialog')
    for (const { [language]: name, shows } of SECTIONS) {
      await details.getByRole('region', { name, exact: true }).filter({ hasText: shows }).waitFor()
    }
    for (const { [language]: name, shows } of FACTS) {
      const row = details.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
      await row.filter({ hasText: shows }).waitFor()
    }
    await details.getByText('Ντέμο Ντένταλ').waitFor()
  }
  expect(await faultsInEachLook(page, volume('first', 'all'))).toEqual([])
})

/** Creates a job that gets no answer of the map site until the end of the test. */
async function stuckJob({ client }: User, name: string): Promise<string> {
  city.site.setOptions({ latencyMs: STUCK })
  onTestFinished(() => city.site.setOptions({ latencyMs: QUICK }))
  return client.create({ name, keywords: ['hotel'], max_results: 500 })
}

/** Collects the calls of the API that a page makes while its clock is set forward. */
function requestsOf(page: Page) {
  const asked: string[] = []
  const unanswered = new Set<Request>()
  const isCall = (request: Request) => /^\/api\/(?!.*\/events$)/.test(new URL(request.url()).pathname)
  page.on('request', (request) => {
    if (!isCall(request)) return
    unanswered.add(request)
    asked.push(new URL(request.url()).pathname)
  })
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  return {
    /** The answers arrive at the time of the page at which they were asked for, however busy the machine is. */
    async in(ms: number, stepMs = STEP_MS): Promise<string[]> {
      asked.length = 0
      for (let passed = 0; passed < ms; passed += stepMs) {
        await page.clock.runFor(stepMs)
        await expect.poll(() => unanswered.size, SOON).toBe(0)
      }
      return [...asked]
    },
  }
}

const STEP_MS = 200

/** Shows or hides the tab, as another tab in front of it does. */
const see = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
