import { sessionsOf } from '@placefleet/coordinator/accounts/documents'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { volume } from '../harness/volume.ts'
import { colorFaults, faultsInEachLook } from './accessibility.ts'
import { startConsole } from './harness/console.ts'
import type { User } from './harness/user.ts'
import { PAGES, type PageRow } from './page-table.ts'
import { fill, type Shown } from './shown.ts'

const running = await startConsole()
const { newUser, url } = running

/** Every nth page is looked at in dark and German, too. */
const SECOND_LOOK = volume(6, 1)

/** Shows pages one after the other in one tab, as the links of the console do, and returns their faults. */
async function faultsOf(page: Page, rows: readonly PageRow[], shown: Shown): Promise<string[]> {
  const faults: string[] = []
  await page.goto('/console/nowhere')
  for (const [nth, [name, path, ready]] of rows.entries()) {
    await page.evaluate(`history.pushState(null, '', '/console/${path(shown)}')`)
    await ready(page).catch((cause: Error) => expect.unreachable(`${name}: ${cause.message}`))
    const looks = nth % SECOND_LOOK === 0 ? 'all' : 'first'
    const found = [...(await faultsInEachLook(page, looks)), ...(await faultsOfTexts(page))]
    faults.push(...found.map((fault) => `${name}, ${fault}`))
  }
  return faults
}

/** Returns what hostile texts did on a page: one was executed, or leads elsewhere. */
async function faultsOfTexts(page: Page): Promise<string[]> {
  const isExecuted = (await page.evaluate('window.executed')) !== undefined
  return [...(isExecuted ? ['a text was executed'] : []), ...(await unsafeLinks(page, url))]
}

test('every page is accessible, also where it is pointed at, contacts no other host, executes no hostile text, and fits into 360 px in both languages', async () => {
  const user = await newUser('operator')
  const shown = await fill(running, user)
  const [page, other] = [await user.openTab(), await user.openTab()]
  for (const tab of [page, other]) tab.on('dialog', () => expect.unreachable('a text opened a dialog'))
  const half = Math.ceil(PAGES.length / 2)
  const halves = [faultsOf(page, PAGES.slice(0, half), shown), faultsOf(other, PAGES.slice(half), shown)]
  expect((await Promise.all(halves)).flat()).toEqual([])

  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Keys', 'Fleet']) {
    await navigation.getByRole('link', { name, exact: true }).hover()
    expect(await colorFaults(page, 'nav'), `${name}, pointed at`).toEqual([])
  }
}, 300_000) // axe takes seconds a page on a busy machine

test('a page is accessible and fits while its data is loading, when the API refuses it, and when nothing answers', async () => {
  const { page, signIn, refuse } = await withHeldAnswers(await newUser('operator'))
  await page.goto('/console/credits')
  const loader = page.getByRole('status').filter({ hasText: 'Loading…' }).first()
  await loader.waitFor()
  const faults = await faultsInEachLook(page, 'first') // of the console before it knows who is signed in

  signIn()

  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await loader.waitFor()
  faults.push(...(await faultsInEachLook(page, 'first')))

  refuse()

  await page.getByRole('alert').filter({ hasText: 'Your account may not see this.' }).first().waitFor()
  faults.push(...(await faultsInEachLook(page, 'first')))

  await page.route('**/livez', (route) => route.abort('connectionrefused'))

  await page.getByText(/^Not up to date since/).waitFor()
  expect([...faults, ...(await faultsInEachLook(page))]).toEqual([])
})

test('the page of sign-in, a fault of a page and the end of a session are accessible and fit', async () => {
  const user = await newUser()
  const page = await user.openTab({ fails: /./ })
  await page.route('**/api/v1/credits/balance', (route) => route.fulfill({ json: null }))
  await page.goto('/console/credits')
  await page.getByText('The console has a fault').waitFor()
  const faults = await faultsInEachLook(page, volume('first', 'all'))

  await page.goto('/console/support')
  await page.getByLabel('Subject').fill('Half a thought')
  await page.getByLabel('Message').fill('The rest of it.')
  await sessionsOf(running.db).deleteMany({ user_id: user.id })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
  faults.push(...(await faultsInEachLook(page, volume('first', 'all'), '[role=dialog]')))

  await page.goto('/console/sign-in?error=email_taken')
  await page.getByText('Another account at the identity provider').waitFor()
  expect([...faults, ...(await faultsInEachLook(page, volume('first', 'all')))]).toEqual([])
})

/** Opens a tab whose session is not known for now, and whose calls of the API wait, and are then refused. */
async function withHeldAnswers(user: User) {
  const page = await user.openTab({ fails: /net::ERR_CONNECTION_REFUSED/ })
  const { promise: signedIn, resolve: signIn } = Promise.withResolvers<void>()
  await page.route('**/auth/session', async (route) => {
    await signedIn
    await route.continue()
  })
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
  const json = { code: 403, error: 'forbidden', message: 'Your account may not see this.', request_id: 'a-request' }
  await page.route('**/api/v1/**', async (route) => {
    await refused
    await route.fulfill({ status: 403, json })
  })
  return { page, signIn, refuse }
}

/** Links that lead elsewhere than http or https, or that let the other page reach back. */
async function unsafeLinks(page: Page, url: string): Promise<string[]> {
  const links = await page.locator('a[href]').evaluateAll((anchors) =>
    anchors.map((anchor) => ({
      href: anchor.getAttribute('href') ?? '',
      target: anchor.getAttribute('target'),
      rel: anchor.getAttribute('rel') ?? '',
    })),
  )
  return links
    .filter(({ href, target, rel }) => {
      const { protocol, origin } = new URL(href, url)
      if (/^(mailto|tel):$/.test(protocol)) return false // they open no page
      const outside = origin !== new URL(url).origin
      return !/^https?:$/.test(protocol) || ((outside || target === '_blank') && !rel.includes('noopener'))
    })
    .map(({ href }) => href)
}
