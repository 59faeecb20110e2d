import type { Page } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { startCoordinatorProcess } from '../harness/coordinator/processes.ts'
import { startWorld } from '../harness/coordinator/world.ts'
import { volume } from '../harness/volume.ts'
import { faultsInEachLook } from './accessibility.ts'
import { startBrowser } from './harness/browser.ts'
import { newUsers } from './harness/user.ts'

const world = await startWorld(afterAll)
const coordinator = await startCoordinatorProcess(world)
const openTab = await startBrowser(coordinator.url)
const newUser = newUsers({ url: coordinator.url, db: world.db, openTab })

/** A page polls, or asks for the connection, every few seconds. Machines that run these tests are busy. */
const NOTICED = { timeout: 30_000 }

const notice = (page: Page) => page.getByText(/^Not up to date since \d\d:\d\d$/)

type Ids = { job: string; monitor: string }

/** Every page, with what it shows and must not lose. */
const ALL: [path: (ids: Ids) => string, shows: string][] = [
  [() => 'support', 'Message'],
  [() => 'jobs', 'Outlasts it'],
  [({ job }) => `jobs/${job}`, 'Outlasts it'],
  [() => 'jobs/new', 'Create job'],
  [() => 'monitors', 'Watches on'],
  [({ monitor }) => `monitors/${monitor}`, 'Watches on'],
  [() => 'known-places', 'Known places'],
  [() => 'keys', 'New key'],
  [() => 'credits', 'Available'],
  [() => 'webhooks', 'Webhooks'],
  [() => 'account', 'Signed in'],
  [() => 'fleet', 'Slots busy'],
  [() => 'operations', 'Jobs pending'],
]

const PAGES = ALL.filter((_, nth) => nth % volume(4, 1) === 0)

test('a coordinator that dies is noticed by every page; nothing is lost, and all is back by itself', async () => {
  const fails = /Failed to load resource|net::ERR_|Worker failed to load/
  const users = await Promise.all(PAGES.map(() => newUser('operator')))
  const tabs = await Promise.all(
    PAGES.map(async ([path, shows], nth) => {
      const user = users[nth] ?? expect.unreachable()
      const job = { name: 'Outlasts it', keywords: ['hotel'], language: 'en' }
      const watch = { name: 'Watches on', schedule: { every: '24h' }, job }
      const ids = {
        job: await user.client.create(job),
        monitor: ((await user.client.call('POST', '/api/v1/monitors', watch)).body as { id: string }).id,
      }
      const page = await user.openTab({ fails })
      page.setDefaultTimeout(60_000)
      await page.goto(`/console/${path(ids)}`)
      const shown = page.getByRole('main').getByText(shows).first()
      await shown.waitFor()
      return { page, shown, name: path(ids) }
    }),
  )
  const support = tabs.find(({ name }) => name === 'support')?.page ?? expect.unreachable()
  await support.getByLabel('Subject').fill('Half a thought')

  await coordinator.kill('SIGKILL')

  for (const { page, shown, name } of tabs) {
    await expect.poll(() => notice(page).count(), { ...NOTICED, message: name }).toBe(1)
    expect(await shown.isVisible(), name).toBe(true)
  }
  expect(await faultsInEachLook(support, 'all')).toEqual([])

  await startCoordinatorProcess(world, coordinator.ports)

  for (const { page, shown, name } of tabs) {
    await expect.poll(() => notice(page).count(), { ...NOTICED, message: name }).toBe(0)
    expect(await shown.isVisible(), name).toBe(true)
  }
  expect(await support.getByLabel('Subject').inputValue()).toBe('Half a thought')
}, 300_000)
