// @vitest-environment happy-dom
import { describeProxyFailures } from '@placefleet/shared/proxy-failures'
import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Routes, refused } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { agent, anyJob, anyTask, exit, idOf, job, jobRoutes, QUIET_FLEET, user } from './harness/samples.ts'

const _AGENTS = { name: 'Agents' }
const EXITS = { name: 'Addresses and proxies' }

/** Shows a page to an operator. */
const openAsOperator = (path: string, routes: Routes = {}) =>
  openConsole(path, { ...QUIET_FLEET, ...routes }, { role: 'operator' })

test('an operator enrols an agent, drains it and revokes its token', async () => {
  let state: 'enrolled' | 'draining' | 'revoked' = 'enrolled'
  const page = openAsOperator('fleet')
  const become = (next: typeof state) => () => {
    state = next
    page.routes['GET /api/v1/admin/agents'] = () => ({ agents: [agent({ name: 'attic', state })] })
    return undefined
  }
  Object.assign(page.routes, {
    'POST /api/v1/admin/agents/{name}/drain': become('draining'),
    'POST /api/v1/admin/agents/{name}/revoke': become('revoked'),
  })
  page.routes['POST /api/v1/admin/agents'] = ({ body: { name } }) => {
    become('enrolled')()
    return { name, token: 'agt_1', environment: 'AGENT_TOKEN=agt_1', command: 'docker', checkout_command: 'npm' }
  }
  await page.press('New agent')
  await page.fill('Name of the agent', 'attic')
  await page.press('Enrol an agent')
  expect((await page.findByRole('region', { name: 'Settings of the agent' })).textContent).toContain('AGENT_TOKEN=agt_')
  await page.press('I have copied it')

  await page.findByRole('row', { name: /^attic .*enrolled/ })
  await page.choose('attic', 'Drain')
  await page.findByRole('row', { name: /^attic .*draining/ })
  await page.choose('attic', 'Revoke')
  await page.pressInDialog('Revoke')
  await page.findByRole('row', { name: /^attic .*revoked/ })
})

test('an agent that cannot start Chromium has a badge, and the sentence that mends it', async () => {
  const message = 'Chromium cannot start: the library libnss3.so is missing. Install it.'
  const shed = agent({ name: 'shed', chromium_problem: { cause: 'library', message } })
  const page = openAsOperator('fleet', { 'GET /api/v1/admin/agents': { agents: [shed] } })
  const row = within(await page.findByRole('row', { name: /^shed / }))
  row.getByText('No Chromium')
  row.getByText(message)
})

test('an operator adds a proxy to the pool, and removes it', async () => {
  let exits: ReturnType<typeof exit>[] = []
  const page = openAsOperator('fleet', {
    'GET /api/v1/admin/exits': () => ({ exits }),
    'POST /api/v1/admin/exits': refused(422, 'The request is not valid.', {
      proxies: 'Line 1: The proxy points into a private or reserved network.',
    }),
    'DELETE /api/v1/admin/exits/{id}': ({ parts }) => {
      exits = exits.filter(({ id }) => id !== parts.id)
      return undefined
    },
  })
  const field = 'Proxies for jobs that bring none'
  await page.fill(field, 'http://me:hidden@10.0.0.1:8080')
  await page.press('Add proxies')
  await page.see('Line 1: The proxy points into a private')
  page.routes['POST /api/v1/admin/exits'] = () => {
    exits = [exit({ id: 'pool-1', kind: 'proxy', pooled: true })]
    return { ids: ['pool-1'] }
  }
  await page.fill(field, 'http://me:hidden@pool.example.com:8080')
  await page.press('Add proxies')
  const row = await page.findByRole('row', { name: /^Proxy .*pool/ })
  within(row).getByText('not used yet')
  await waitFor(() => expect(page.valueOf(field)).toBe(''))
  await page.press(/^Remove proxy .* from the pool/)
  await waitFor(() => expect(page.queryByRole('table', EXITS)).toBeNull())
})

test('an operator wakes an exit that rests', async () => {
  const rest = { resting_reason: 'blocked', resting_until: '2099-01-01T00:00:00.000Z' } as const
  const sending = exit({ name: 'refused yesterday', last_verdict: 'exit_refused' })
  const page = openAsOperator('fleet', {
    'GET /api/v1/admin/exits': { exits: [{ ...sending, ...rest }] },
    'POST /api/v1/admin/exits/{id}/wake': () => {
      page.routes['GET /api/v1/admin/exits'] = { exits: [sending] }
      return undefined
    },
  })
  await page.see('The map site refused the requests. Until')
  await page.press('End the pause of refused yesterday')
  const row = within(await page.findByRole('row', { name: /^refused yesterday/ }))
  await row.findByText('sends')
  expect(row.queryAllByRole('button')).toEqual([])
})

test('an operator lets an agent check the paths of its exit, and sees what each door answered', async () => {
  const checked = exit({ name: 'cellar', agents: ['cellar'] })
  const asked_at = new Date().toISOString()
  const page = openAsOperator('fleet', {
    'GET /api/v1/admin/exits': { exits: [checked] },
    'POST /api/v1/admin/exits/{id}/check': () => {
      page.routes['GET /api/v1/admin/exits'] = { exits: [{ ...checked, check: { asked_at } }] }
      return undefined
    },
  })
  await page.press(/^Check .* cellar$/)
  await page.see('An agent checks what the map site answers')
  const path = { bytes: 1, consent: false, cookies: [], limited: false, milliseconds: 9, missing: [], requests: 1 }
  const paths = (['search', 'GetLocalBoqProxy'] as const).map((door) => ({
    ...path,
    door,
    rung: 'http' as const,
    status: 200,
    verdict: 'whole',
  }))
  const exits = [{ exit: 'cellar', causes: [], paths }]
  const report = { site: 'https://maps.example.com', checked_at: asked_at, healthy: true, conclusion: '', exits }
  page.routes['GET /api/v1/admin/exits'] = { exits: [{ ...checked, check: { asked_at, report } }] }
  page.pass()
  await page.findByRole('row', { name: /^plain HTTP search whole 200 / })
  await page.findByRole('row', { name: /^plain HTTP GetLocalBoqProxy whole 200 / })
})

test('an operator reads who collects the rest of a settled job', async () => {
  const cut = anyJob({ status: 'cancelled', result_count: 3 })
  const page = openAsOperator(`operations/jobs/${cut.id}`, {
    'GET /api/v1/admin/jobs/{id}': cut,
    'GET /api/v1/admin/jobs/{id}/tasks': { tasks: [], has_more: false },
  })
  await page.see('The user can start “Collect the rest”.')
})

test('an operator creates a user, grants credits and makes a sign-in link', async () => {
  const url = 'https://placefleet.example.com/console/#link=a-token'
  const ada = user({ email: 'ada@example.com' })
  const page = openAsOperator('operations?tab=users', {
    'POST /api/v1/admin/users': () => {
      page.routes['GET /api/v1/admin/users'] = { users: [ada], total: 1, page: 1, limit: 25, has_more: false }
      return ada
    },
    'POST /api/v1/admin/grants': ({ body: { amount, reference } }) => ({
      id: idOf(60),
      user_id: ada.id,
      type: 'bonus',
      amount,
      description: 'Welcome',
      reference_id: reference ?? '',
      credit_balance: amount,
      created_at: ada.created_at,
      repeated: false,
    }),
    'POST /api/v1/admin/users/{id}/sign-in-link': { url, expires_at: ada.created_at },
  })
  await page.fill('Email', 'ada@example.com')
  await page.press('Create user')
  await page.choose('ada@example.com', 'Grant credits')
  await page.fill('Credits', '12')
  await page.fill('Reason', 'Welcome')
  await page.press('Grant')
  await page.see('The credits are granted')
  expect(page.sentTo('POST /api/v1/admin/grants')).toMatchObject([{ user: ada.id, amount: '12', reason: 'Welcome' }])
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
  await page.choose('ada@example.com', 'Sign-in link')
  expect((await page.findByRole('region', { name: 'The sign-in link' })).textContent).toContain(url)
})

test('an operator sets prices after a confirmation', async () => {
  const zero = '0.000000'
  const prices = { contact_details: zero, filters_applied: zero, image: zero, job_start: zero, place_scraped: zero }
  const page = openAsOperator('operations?tab=prices', {
    'POST /api/v1/admin/prices': ({ body: { from } }) => ({
      from,
      state: 'coming',
      prices: { ...prices, review: zero },
    }),
  })
  await page.fill('From', '2099-01-01T00:00')
  await page.fill('Reviews', '0.5')
  await page.press('Set prices')
  await page.pressInDialog('Set prices')
  await page.see('The prices are set')
  const from = new Date(2099, 0, 1).toISOString()
  expect(page.sentTo('POST /api/v1/admin/prices')).toEqual([{ from, review: '0.500000' }])
})

const FAILED = `proxies_failed: ${describeProxyFailures([{ fault: 'login_required', status: 407 }])}`

test.each([
  ['de-DE', '1: Er verlangt Benutzer und Passwort. (HTTP 407)'],
  ['en-GB', '1: It requires a user and a password. (HTTP 407)'],
])("a job whose proxy fails says why in the reader's language: %s", async (language, reason) => {
  const failed = job({ status: 'failed', failure_reason: FAILED })
  const page = openConsole(`jobs/${failed.id}`, jobRoutes(failed), { languages: [language] })
  const items = await page.findAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toContain(reason)
})

test('operators are led from the last failed tasks to the job, its tasks and each attempt', async () => {
  const failed = anyJob({ status: 'failed', failure_reason: FAILED })
  const page = openAsOperator('operations', {
    'GET /api/v1/admin/doctor': { healthy: true, advice: [], reasons: [], checks: [], failed_tasks: [anyTask()] },
    'GET /api/v1/admin/jobs/{id}': failed,
    'GET /api/v1/admin/jobs/{id}/tasks': ({ query }) => {
      const { job_id: _, ...task } = anyTask()
      return { tasks: query.get('state') === 'failed' ? [task] : [], has_more: false }
    },
  })
  const failures = within(await page.findByRole('table', { name: 'The last failed tasks' }))
  await page.click('link', failures.getByRole('link').textContent ?? '')
  const tasks = within(await page.findByRole('table', { name: 'Tasks' }))
  tasks.getByText(/^Attempt 1 · no proxy worked · .* · agent cellar/)
  expect(location.pathname).toBe(`/console/operations/jobs/${failed.id}`)
})
