// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { brokenRules } from './harness/axe.ts'
import { openConsole } from './harness/open-console.ts'
import { QUIET_FLEET } from './harness/samples.ts'

test.each([
  ['jobs', 'Create a job'],
  ['jobs?search=nothing', 'No job matches'],
  ['monitors', 'No monitors yet'],
  ['known-places', 'No known places yet'],
  ['keys', 'No key yet'],
  ['credits', 'Nothing yet'],
  ['webhooks', 'No webhook yet'],
  ['operations?tab=dead', 'No failed tasks'],
  ['operations?tab=support', 'No support requests'],
  ['operations?tab=jobs', 'No job matches'],
  ['fleet', 'No agents yet'],
])('%s says “%s” to whom it has nothing to show, and is accessible', async (path, text) => {
  const page = openConsole(path, QUIET_FLEET, { role: 'operator' })
  await page.findAllByText(text)
  expect(await brokenRules('main')).toEqual([])
})

test('a page of operators says so to others', async () => {
  const page = openConsole('fleet', {})
  await page.see('This page is for operators')
  await page.click('link', 'Go to jobs')
  await page.findByRole('heading', { name: 'Jobs' })
})

test('a path without a page says so', async () => {
  const page = openConsole('nowhere', {})
  await page.findByRole('link', { name: 'Go to jobs' })
})
