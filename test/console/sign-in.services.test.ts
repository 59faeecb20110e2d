import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import { expect, onTestFinished, test } from 'vitest'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { until } from '../harness/until.ts'
import { ADMIN_TOKEN, startProduct } from './harness/product.ts'
import { startTabs } from './harness/tab.ts'

const product = await startProduct()
const { db, url } = product
const { newUser, openTab } = await startTabs(product)

const pathOf = (link: string): string => link.slice(url.length)

test('a sign-in link signs in once and leaves the address at once; signing out ends it', async () => {
  const user = await newUser()
  const link = await user.signInLink()
  const tab = await openTab()

  await tab.goto(pathOf(link))

  await tab.press(/^Your settings/)
  expect(tab.window.location.href).not.toContain('link=')
  await tab.press('Sign out')
  const heading = () => tab.screen.queryByRole('heading', { name: 'Sign in' })
  await until('another page is loaded, of sign-in', async () => heading() !== null)

  const again = await openTab()
  await again.goto(pathOf(link))
  await again.see('This sign-in link does not work')
})

test('the first operator signs in with ADMIN_TOKEN, once, after a wrong one', async () => {
  const tab = await openTab()
  await tab.goto('/console/claim')
  await tab.fill('Token', 'not the token at all')
  await tab.press('Sign in')
  await tab.see('The token is wrong or was used')
  await tab.fill('Token', ADMIN_TOKEN)
  await tab.press('Sign in')
  await tab.screen.findByRole('button', { name: /^Your settings/ })
  expect(tab.path).not.toContain('claim')
  await tab.screen.findByRole('link', { name: 'Fleet' })

  const other = await openTab()
  await other.goto('/console/claim')
  await other.fill('Token', ADMIN_TOKEN)
  await other.press('Sign in')
  await other.see('The token is wrong or was used')
})

test('a link pasted into an open tab signs in; while somebody is signed in it stays unused, and the tab says so', async () => {
  const user = await newUser()
  const tab = await openTab()
  await tab.goto('/console/')
  await tab.screen.findByRole('heading', { name: 'Sign in' })

  tab.paste(`${url}/console/#link=no-such-link`)
  await tab.see('This sign-in link does not work')
  tab.paste(await user.signInLink())
  await tab.screen.findByRole('button', { name: /^Your settings/ })

  const link = await user.signInLink()
  tab.paste(link)
  await tab.see(`You are signed in already, as ${user.email}`)
  expect(tab.window.location.href).not.toContain('link=')

  const other = await openTab()
  await other.goto(pathOf(link)) // still works
  await other.screen.findByRole('button', { name: /^Your settings/ })
})

test('a page one was sent to is shown after signing in', async () => {
  const user = await newUser()
  const tab = await openTab()
  await tab.goto('/console/credits')
  await tab.screen.findByRole('heading', { name: 'Sign in' })

  tab.setCookie(await user.session()) // as an identity provider does
  await tab.reload()

  await tab.screen.findByRole('heading', { name: 'Credits' })
})

test('`placefleet login` gets a key once its pairing code is approved in the console', async () => {
  const user = await newUser()
  const HOME = mkdtempSync(join(tmpdir(), 'placefleet-login-'))
  onTestFinished(() => rmSync(HOME, { recursive: true }))
  const login = placefleet(['login', '--url', url], { HOME })
  const waiting = await until('a program waits', async () => await deviceLoginsOf(db).findOne({ kind: 'device' }))
  const tab = await user.openTab()

  await tab.goto('/console/connect')
  await tab.fill('The code that the program shows', waiting.user_code.toLowerCase())
  await tab.press('Continue')
  await tab.press('Approve')
  await tab.see('The program is connected')

  const { code, err } = await login
  expect(code).toBe(0)
  expect(err).toContain(`${url}/console/connect?code=${waiting.user_code}`)
  expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 0, out: expect.stringContaining('balance') })
})

test('the page of sign-in says how to get a link, and why the identity provider refused', async () => {
  const tab = await openTab()

  await tab.goto('/console/sign-in?error=email_taken')

  await tab.see('npm run ops -- users sign-in-link')
  await tab.see('When npm start runs in a terminal, it prints a link')
  await tab.see('Another account at the identity provider')
})
