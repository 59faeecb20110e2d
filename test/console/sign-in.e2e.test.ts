import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { SCAN } from '../harness/servers/scan.ts'
import { until } from '../harness/until.ts'
import { volume } from '../harness/volume.ts'
import { faultsInEachLook } from './accessibility.ts'
import { ADMIN_TOKEN, startConsole } from './harness/console.ts'

const { db, url, newUser, openTab } = await startConsole()

const FIRST_LOAD_BYTES = 250 * 1024

test('a sign-in link signs in once and leaves the address at once; signing out ends it', async () => {
  const user = await newUser()
  const link = await user.signInLink()
  const page = await openTab()

  await page.goto(link)

  await page.getByRole('button', { name: 'Your settings' }).click()
  expect(page.url()).not.toContain('link=')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  const again = await openTab()
  await again.goto(link)
  await again.getByText('This sign-in link does not work').waitFor()
})

test('the first operator signs in with ADMIN_TOKEN, once, after a wrong one', async () => {
  const page = await openTab()
  await page.goto('/console/claim')
  const enter = async (token: string) => {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await enter('not the token at all')
  await page.getByText('The token is wrong or was used').waitFor()
  await enter(ADMIN_TOKEN)
  await page.getByRole('button', { name: 'Your settings' }).waitFor()
  expect(page.url()).not.toContain('claim')
  await page.getByRole('link', { name: 'Fleet', exact: true }).waitFor()

  const other = await openTab()
  await other.goto('/console/claim')
  await other.getByLabel('Token').fill(ADMIN_TOKEN)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByText('The token is wrong or was used').waitFor()
})

test('a link pasted into an open tab signs in; while somebody is signed in it stays unused, and the tab says so', async () => {
  const user = await newUser()
  const page = await openTab()
  await page.goto('/console/')
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  const paste = (address: string) => page.evaluate(`location.assign(${JSON.stringify(new URL(address).hash)})`)

  await paste(`${url}/console/#link=no-such-link`)
  await page.getByText('This sign-in link does not work').waitFor()
  await paste(await user.signInLink())
  await page.getByRole('button', { name: 'Your settings' }).waitFor()

  const link = await user.signInLink()
  await paste(link)
  await page.getByText(`You are signed in already, as ${user.email}`).waitFor()
  expect(page.url()).not.toContain('link=')

  const other = await openTab()
  await other.goto(link) // still works
  await other.getByRole('button', { name: 'Your settings' }).waitFor()
})

test('a page one was sent to is shown after signing in', async () => {
  const user = await newUser()
  const page = await openTab()
  await page.goto('/console/credits')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await page.context().addCookies([{ ...(await user.session()), url }])
  await page.reload()

  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
})

test('`placefleet login` gets a key once its pairing code is approved in the console', async () => {
  const user = await newUser()
  const HOME = mkdtempSync(join(tmpdir(), 'placefleet-login-'))
  onTestFinished(() => rmSync(HOME, { recursive: true }))
  const login = placefleet(['login', '--url', url], { HOME })
  const waiting = await until('a program waits', async () => await deviceLoginsOf(db).findOne({ kind: 'device' }, SCAN))
  const page = await user.openTab()

  await page.goto('/console/connect')
  await page.getByLabel('The code that the program shows').fill(waiting.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  expect(await faultsInEachLook(page, volume('first', 'all'))).toEqual([])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The program is connected').waitFor()

  const { code, err } = await login
  expect(code).toBe(0)
  expect(err).toContain(`${url}/console/connect?code=${waiting.user_code}`)
  expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 0, out: expect.stringContaining('balance') })
})

test('the sign-in page is accessible and says how to get a link', async () => {
  const page = await openTab()

  await page.goto('/console/sign-in?error=email_taken')

  await page.getByText('npm run ops -- users sign-in-link').waitFor()
  await page.getByText('When npm start runs in a terminal, it prints a link').waitFor()
  await page.getByText('Another account at the identity provider').waitFor()
  expect(await faultsInEachLook(page, volume('first', 'all'))).toEqual([])
})

test('the console speaks German to a German browser, remembers another choice, and follows it in other tabs', async () => {
  const user = await newUser('operator')
  const page = await user.openTab({ locale: 'de-DE' })
  const other = await page.context().newPage()
  await other.goto('/console/jobs')
  await other.getByRole('heading', { name: 'Aufträge', exact: true }).waitFor()
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Aufträge', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Ihre Einstellungen' }).click()
  await page.getByText('English').click()
  await other.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await page.reload()

  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('en')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['New job', 'Keys', 'Credits', 'Webhooks', 'Account', 'Fleet', 'Operations']) {
    await navigation.getByRole('link', { name, exact: true }).waitFor()
  }
})

test('the first page loads at most 250 KB of scripts and styles, and neither map nor chart', async () => {
  const user = await newUser()
  const page = await user.openTab()

  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()

  const files = await loaded(page)
  expect(files.length).toBeGreaterThan(1)
  expect(files.filter(({ name }) => /map|chart/.test(name))).toEqual([])
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES)
})

/** The bytes of scripts and styles that went over the wire for the present page. */
async function loaded(page: Page): Promise<{ name: string; bytes: number }[]> {
  return page.evaluate(
    `performance.getEntriesByType('resource')
      .filter(({ name }) => /\\.(m?js|css)$/.test(name))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
  )
}
