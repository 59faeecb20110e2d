import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceLoginsOf } from '@placefleet/coordinator/auth/documents'
import { expect, onTestFinished, test } from 'vitest'
import { placefleet } from '../coordinator/clients/terminal.ts'
import { until } from '../harness/until.ts'
import { faultsInEachLook } from './accessibility.ts'
import type { RunningConsole } from './harness/browser.ts'

/** Tests of the sign-in page, the language, and the page that lets a program in. */
export function signInTests({ product, openTab }: RunningConsole): void {
  test('a sign-in link signs in once and leaves the address at once; signing out ends it', async () => {
    const url = await product.signInLink()
    const page = await openTab({ signedIn: false })

    await page.goto(url)

    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
    expect(page.url()).toBe(`${product.url}/console/jobs`)
    await page.getByRole('button', { name: 'Your settings' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    const again = await openTab({ signedIn: false })
    await again.goto(url)
    await again.getByText('This sign-in link does not work').waitFor()
  })

  test('a page one was sent to is shown after signing in', async () => {
    const page = await openTab({ signedIn: false })
    await page.goto('/console/credits')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    const { name, value } = await product.session()
    await page.context().addCookies([{ name, value, url: product.url }])
    await page.reload()

    await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor()
  })

  test('`placefleet login` gets a key once its pairing code is approved in the console', async () => {
    const HOME = mkdtempSync(join(tmpdir(), 'placefleet-login-'))
    onTestFinished(() => rmSync(HOME, { recursive: true }))
    const login = placefleet(['login', '--url', product.url], { HOME })
    const waiting = await until(
      'a program waits',
      async () => (await deviceLoginsOf(product.db).findOne()) ?? undefined,
    )
    const page = await openTab()

    await page.goto('/console/connect')
    await page.getByLabel('The code that the program shows').fill(waiting.user_code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    expect(await faultsInEachLook(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The program is connected').waitFor()

    const { code, err } = await login
    expect(code).toBe(0)
    expect(err).toContain(`${product.url}/console/connect?code=${waiting.user_code}`)
    expect(await placefleet(['credits'], { HOME })).toMatchObject({ code: 0, out: expect.stringContaining('balance') })
  })

  test('the sign-in page is accessible and says how to get a link', async () => {
    const page = await openTab({ signedIn: false })

    await page.goto('/console/sign-in?error=email_taken')

    await page.getByText('npm run ops -- users sign-in-link').waitFor()
    await page.getByText('Another account at the identity provider').waitFor()
    expect(await faultsInEachLook(page)).toEqual([])
  })

  test('the console speaks German to a German browser, and remembers another choice', async () => {
    const page = await openTab({ locale: 'de-DE' })
    await page.goto('/console/jobs')
    await page.getByRole('heading', { name: 'Aufträge' }).waitFor()

    await page.getByRole('button', { name: 'Ihre Einstellungen' }).click()
    await page.getByText('English').click()
    await page.reload()

    await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('en')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['New job', 'Keys', 'Credits', 'Webhooks', 'Account', 'Fleet', 'Operations']) {
      await navigation.getByRole('link', { name, exact: true }).waitFor()
    }
  })
}
