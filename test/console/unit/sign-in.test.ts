// @vitest-environment happy-dom
import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type Routes, refused } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { currentSession } from './harness/samples.ts'

const SIGNED_OUT = { 'GET /auth/session': refused(401, 'Sign in.') }
const UNKNOWN = refused(401, 'The link is unknown or was used.')

/** Signs in whoever brings the token. */
const signsIn =
  (routes: Routes, token: string): Routes['POST /auth/link'] =>
  ({ body }) => {
    if (body.token !== token) return UNKNOWN
    routes['GET /auth/session'] = currentSession()
    return undefined
  }

test('a sign-in link leaves the address at once and signs in; signing out loads the page anew', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const page = openConsole('#link=a-token', SIGNED_OUT)
  expect(location.href).not.toContain('a-token')
  page.routes['POST /auth/link'] = signsIn(page.routes, 'a-token')
  await page.press(/^Your settings/)
  page.routes['POST /auth/logout'] = undefined
  await page.press('Sign out')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/console/'))
  expect(page.sentTo('POST /auth/link')).toEqual([{ token: 'a-token' }])
})

test('a link pasted into an open tab signs in, after one that does not work', async () => {
  const page = openConsole('', SIGNED_OUT)
  page.routes['POST /auth/link'] = signsIn(page.routes, 'a-token')
  await page.findByRole('heading', { name: 'Sign in' })
  location.hash = '#link=another'
  await page.see('This sign-in link does not work')
  location.hash = '#link=a-token'
  await page.findByRole('button', { name: /^Your settings/ })
})

test('a link pasted while somebody is signed in stays unused, and the tab says so', async () => {
  const page = openConsole('keys', {})
  await page.findByRole('heading', { name: 'Keys' })
  location.hash = '#link=of-a-stranger'
  await page.see('You are signed in already, as ada@example.com')
  expect(location.hash).toBe('')
  expect(page.sentTo('POST /auth/link')).toEqual([])
})

test('the first operator signs in with ADMIN_TOKEN, after a wrong one', async () => {
  const page = openConsole('claim', SIGNED_OUT)
  page.routes['POST /auth/claim'] = ({ body: { token } }) => {
    if (token !== 'the right one') return refused(401, 'The token is wrong or was used.')
    page.routes['GET /auth/session'] = currentSession({ role: 'operator' })
    return undefined
  }
  await page.fill('Token', 'not the token at all')
  await page.press('Sign in')
  await page.seeAlert(/The token is wrong or was used/)
  await page.fill('Token', 'the right one')
  await page.press('Sign in')
  await page.findByRole('link', { name: 'Fleet' })
  expect(location.pathname).not.toContain('claim')
})

test('a page one was sent to is shown after signing in with another tab', async () => {
  const page = openConsole('credits', SIGNED_OUT)
  await page.findByRole('heading', { name: 'Sign in' })
  page.routes['GET /auth/session'] = currentSession()
  fireEvent(document, new Event('visibilitychange', { bubbles: true })) // back from the other tab
  await page.findByRole('heading', { name: 'Credits' })
})

test('a program is let in by its pairing code, however it is typed', async () => {
  const page = openConsole('connect', {
    'GET /auth/device/{user_code}': ({ parts: { user_code = '' } }) => ({
      user_code,
      client_name: 'placefleet on a laptop',
      client_address: '192.0.2.1',
      created_at: new Date().toISOString(),
      expires_at: new Date().toISOString(),
    }),
    'POST /auth/device/{user_code}/approve': undefined,
  })
  await page.fill('The code that the program shows', 'bcdf ghjk')
  await page.press('Continue')
  await page.see('placefleet on a laptop')
  await page.press('Approve')
  await page.see('The program is connected')
  expect(location.search).toBe('?code=BCDF-GHJK')
})

test('the sign-in page says how to get a link, and why a provider refused', async () => {
  const page = openConsole('sign-in?error=email_taken', SIGNED_OUT)
  await page.see('npm run ops -- users sign-in-link')
  await page.see('When npm start runs in a terminal, it prints a link')
  await page.seeAlert(/Another account at the identity provider/)
})

test('the console speaks German to a German browser, remembers another choice, and follows it in other tabs', async () => {
  const page = openConsole('jobs', {}, { role: 'operator', languages: ['de-DE'] })
  await page.findByRole('heading', { name: 'Aufträge' })
  await page.press(/^Ihre Einstellungen/)
  fireEvent.click(await page.findByLabelText('English'))
  await page.findByRole('heading', { name: 'Jobs' })
  expect(document.documentElement.lang).toBe('en')
  const stored = localStorage.getItem('placefleet-language')
  expect(stored).toBe('en')

  const others = ['New job', 'Keys', 'Credits', 'Webhooks', 'Account', 'Fleet', 'Operations']
  const navigation = within(page.getByRole('navigation', { name: 'Main' }))
  for (const name of others) navigation.getByRole('link', { name })
  dispatchEvent(new StorageEvent('storage', { key: 'placefleet-language', newValue: 'de' })) // chosen in another tab
  await page.findByRole('heading', { name: 'Aufträge' })
})
