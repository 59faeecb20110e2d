// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { NO_CONNECTION, type Routes } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { job, jobList, jobRoutes, monitor, QUIET_FLEET } from './harness/samples.ts'

/** Pages of each kind, with what they show and must not lose: all notice it by the same query. */
const PAGES = [
  ['jobs', 'Outlasts it'],
  [`jobs/${job().id}`, 'Outlasts it'],
  ['jobs/new', 'Create job'],
  [`monitors/${monitor().id}`, 'Watches on'],
  ['keys', 'New key'],
  ['credits', 'Available'],
  ['fleet', 'Slots busy'],
  ['operations', 'Jobs pending'],
] as const

const outlasting = job({ name: 'Outlasts it' })
const watching = monitor({ name: 'Watches on' })
const ROUTES: Routes = {
  ...QUIET_FLEET,
  ...jobRoutes(outlasting),
  'GET /api/v1/jobs': jobList([outlasting]),
  'GET /api/v1/monitors': { monitors: [watching] },
  'GET /api/v1/monitors/{id}': watching,
  'GET /api/v1/monitors/{id}/changes': { changes: [], has_more: false },
}

test.each(PAGES)('%s notices that the coordinator is gone, keeps “%s”, and is back by itself', async (path, text) => {
  const page = openConsole(path, { ...ROUTES }, { role: 'operator' })
  await page.see(text)
  for (const name of Object.keys(ROUTES)) Object.assign(page.routes, { [name]: NO_CONNECTION })
  Object.assign(page.routes, { 'GET /livez': NO_CONNECTION })
  page.pass()
  await page.see(/^Not up to date since \d\d:\d\d$/)
  expect(page.queryAllByText(text, { exact: false })).not.toEqual([])

  Object.assign(page.routes, ROUTES, { 'GET /livez': { status: 'ok' } })
  page.pass()
  await page.gone('Not up to date')
  expect(page.queryAllByText(text, { exact: false })).not.toEqual([])
})

test('what is entered in a form outlasts the coordinator', async () => {
  const page = openConsole('support', {})
  await page.fill('Subject', 'Half a thought')
  page.routes['GET /livez'] = NO_CONNECTION
  page.pass()
  await page.see('Not up to date')
  page.routes['GET /livez'] = { status: 'ok' }
  page.pass()
  await page.gone('Not up to date')
  expect(page.valueOf('Subject')).toBe('Half a thought')
})
