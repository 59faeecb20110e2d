// @vitest-environment happy-dom
import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { deletions } from '../../../coordinator/console/src/jobs/deletions.ts'
import { openConsole } from './harness/open-console.ts'
import { ESTIMATE, FULL_PLACE, idOf, job, jobList, jobRoutes, place } from './harness/samples.ts'

test('the heads of the list of jobs sort it as a whole, by a click, and the address keeps the order', async () => {
  const jobs = Array.from({ length: 26 }, (_, n) =>
    job({
      id: idOf(100 + n),
      name: `Job ${String(n + 1).padStart(2, '0')}`,
      created_at: new Date(2026, 0, 1, 0, n).toISOString(),
    }),
  ) // one more than a page shows
  const routes = {
    'GET /api/v1/jobs': ({ query }: { query: URLSearchParams }) => {
      const [sort, page] = [query.get('sort'), Number(query.get('page') ?? 1)]
      const value = (given: (typeof jobs)[number]) => (sort === 'name' ? given.name : given.created_at)
      const rising = jobs.toSorted((one, other) => value(one).localeCompare(value(other)))
      const sorted = query.get('order') === 'asc' ? rising : rising.toReversed()
      return jobList(sorted.slice((page - 1) * 25, page * 25), { total: jobs.length, page })
    },
  }
  const page = openConsole('jobs', routes)
  const first = (name: string) =>
    waitFor(() => expect(within(page.getByRole('table')).getAllByRole('link')[0]?.textContent).toBe(name))
  const sorted = (name: string) => page.getByRole('columnheader', { name }).getAttribute('aria-sort')
  await first('Job 26')
  expect([sorted('Created'), sorted('Name')]).toEqual(['descending', 'none'])

  await page.press('Name')
  await first('Job 01') // it was on the second page
  expect([sorted('Created'), sorted('Name')]).toEqual(['none', 'ascending'])
  await page.press('Name')
  await first('Job 26')
  await page.press('Page 2')
  await first('Job 01')
  const address = location.pathname.replace('/console/', '') + location.search
  page.go('keys')
  await page.findByRole('heading', { name: 'Keys' })
  page.go(address)
  await first('Job 01')
  expect(sorted('Name')).toBe('descending')
})

test('a job is cancelled, and run again', async () => {
  const { ended_at: _, ...running } = job({ status: 'running', name: 'To be cancelled' })
  const page = openConsole(`jobs/${running.id}`, {
    ...jobRoutes(running),
    'POST /api/v1/jobs/{id}/cancel': () => {
      page.routes['GET /api/v1/jobs/{id}'] = job({ status: 'cancelled', name: 'To be cancelled' })
      return undefined
    },
    'POST /api/v1/jobs': { id: idOf(11) },
  })
  await page.press('Cancel')
  await page.see('cancelled')
  await page.press('Run again')
  await waitFor(() => expect(location.pathname).toBe(`/console/jobs/${idOf(11)}`))
  expect(page.sentTo('POST /api/v1/jobs')).toMatchObject([{ name: 'To be cancelled', keywords: ['hotel'] }])
})

test('a deletion can be taken back, and is sent when its time is over', async () => {
  let jobs = [job({ name: 'To stay' }), job({ id: idOf(11), name: 'To go' })]
  const page = openConsole('jobs', {
    'GET /api/v1/jobs': () => jobList(jobs),
    'DELETE /api/v1/jobs/{id}': ({ parts }) => {
      jobs = jobs.filter(({ id }) => id !== parts.id)
      return undefined
    },
  })
  const found = () => page.queryAllByRole('link', { name: /^To (stay|go)$/ }).map(({ textContent }) => textContent)
  await waitFor(() => expect(found()).toEqual(['To stay', 'To go']))
  await page.choose('To stay', 'Delete')
  await waitFor(() => expect(found()).toEqual(['To go']))
  await page.press('Undo')
  await waitFor(() => expect(found()).toEqual(['To stay', 'To go']))

  await page.choose('To go', 'Delete')
  await waitFor(() => expect(found()).toEqual(['To stay']))
  await deletions.sendAll()
  expect(jobs).toHaveLength(1)
})

test('the list of jobs is searched and filtered, and the address keeps both', async () => {
  const page = openConsole('jobs?search=bakery', {
    'GET /api/v1/jobs': ({ query }) =>
      jobList(query.get('search') === 'bakery' && !query.has('status') ? [job({ name: 'Bakeries' })] : []),
  })
  await page.see('1 job')
  await page.fill('Status', 'running')
  await page.see('No job matches')
  expect(new URLSearchParams(location.search).get('status')).toBe('running')
  expect(new URLSearchParams(location.search).get('search')).toBe('bakery')
})

test('an ended demo job says what to do next; it can be monitored for nothing', async () => {
  const demo = job({ name: 'Free hotels', data: { ...job().data, demo: true } })
  const page = openConsole(`jobs/${demo.id}`, { ...ESTIMATE, ...jobRoutes(demo) })
  const next = within(await page.findByRole('region', { name: 'The demo is over. What next?' }))
  next.getByText(/npm run placefleet -- run hotel --demo/)
  await page.see('demo: simulated city, costs nothing')
  await page.click('link', 'Monitor this demo')
  await page.see('The runs collect from the simulated city, and cost nothing.')
})

test('a blocked job says until when it waits', async () => {
  const { ended_at: _, ...running } = job({ status: 'running' })
  const waiting_until = new Date(Date.now() + 60_000).toISOString()
  const progress = { ...running.progress, waiting_reason: 'blocked', waiting_until } as const
  const page = openConsole(`jobs/${running.id}`, jobRoutes({ ...running, progress }))
  await page.see(/^Blocked by the map site until \d\d:\d\d\./)
})

test('all 500 places of a job can be reached', async () => {
  const places = Array.from({ length: 500 }, (_, nth) => place(nth + 1))
  const page = openConsole(`jobs/${job().id}`, jobRoutes(job({ result_count: 500 }), places))
  await page.see('1 to 50 of 500 places')
  await page.press('Page 10')
  await page.see('451 to 500 of 500 places')
  page.getByText('Place 500')
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

test.each(['en', 'de'] as const)(
  'the page of a place shows what its owner offers and what visitors ask: in %s',
  async (language) => {
    const page = openConsole(`jobs/${job().id}?place=1`, jobRoutes(job({ result_count: 1 }), [FULL_PLACE]), {
      languages: [language],
    })
    const details = await page.dialog()
    for (const { [language]: name, shows } of SECTIONS) {
      expect(details.getByRole('region', { name }).textContent).toMatch(shows)
    }
    for (const { [language]: name, shows } of FACTS) {
      expect(details.getByRole('rowheader', { name }).closest('tr')?.textContent).toMatch(shows)
    }
    details.getByText('Ντέμο Ντένταλ')
  },
)
