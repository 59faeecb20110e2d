import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import { createSignInLink } from '@placefleet/coordinator/auth/links'
import type { Browser } from 'playwright'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { until } from '../harness/until.ts'
import { openTab, startBrowser } from './harness/browser.ts'
import { type Product, startProduct } from './harness/product.ts'

let product: Product
let browser: Browser

beforeAll(async () => {
  product = await startProduct()
  browser = await startBrowser()
})

test('a sign-in link signs in once and leaves the address at once; signing out ends it', async () => {
  const { url } = await createSignInLink(product.db, product.ownerId, product.url)
  const page = await openTab(browser, product)

  await page.goto(url)

  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  expect(page.url()).toBe(`${product.url}/console/jobs`)
  await page.getByRole('button', { name: 'Your settings' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  const again = await openTab(browser, product)
  await again.goto(url)
  await again.getByText('This sign-in link does not work').waitFor()
})

test('a page one was sent to is shown after signing in', async () => {
  const page = await openTab(browser, product)
  await page.goto('/console/credits')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  const { name, value } = await product.session(product.ownerId)
  await page.context().addCookies([{ name, value, url: product.url }])
  await page.reload()

  await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
})

test('first run: without a job there are three next steps', async () => {
  const page = await openTab(browser, product, { as: product.ownerId })
  await page.goto('/console/')

  await page.getByRole('heading', { name: 'Create a job' }).waitFor()

  await page.getByRole('main').getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
})

test('`placefleet login` gets a key once its pairing code is approved in the console', async () => {
  const HOME = mkdtempSync(join(tmpdir(), 'placefleet-login-'))
  onTestFinished(() => rmSync(HOME, { recursive: true }))
  const login = placefleet(['login', '--url', product.url], { HOME })
  const waiting = await until('a program waits', async () => (await deviceLoginsOf(product.db).findOne()) ?? undefined)
  const page = await openTab(browser, product, { as: product.ownerId })

  await page.goto('/console/connect')
  await page.getByLabel('The code that the program shows').fill(waiting.user_code.toLowerCase())
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The program is connected').waitFor()

  const { code, err } = await login
  expect(code).toBe(0)
  expect(err).toContain(`${product.url}/console/connect?code=${waiting.user_code}`)
  expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 0, out: expect.stringContaining('balance') })
})
