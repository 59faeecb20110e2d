// @vitest-environment happy-dom
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refused } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { ESTIMATE, idOf, job, jobRoutes, monitor } from './harness/samples.ts'

const PLACES = Array.from({ length: 1_001 }, (_, n) => `0x1:0x${(n + 1).toString(16)}`)

const INVALID = refused(422, 'The request is not valid.', {
  keywords: 'needs one to five keywords',
  lat: 'must be between -90 and 90',
  lon: 'must be a number',
  max_cost: 'must be positive',
})

test('an error of the API is shown at its field, and goes when the field is changed', async () => {
  const page = openConsole('jobs/new', { ...ESTIMATE, 'POST /api/v1/jobs': INVALID })
  await page.fill('Latitude', '95')
  await page.fill('Credit limit', '-1')
  await page.press('Create job')

  await page.seeAlert('4 fields need a correction.')
  expect(page.wrongFields()).toEqual(['Keywords', 'Credit limit', 'Latitude', 'Longitude'])
  expect(document.activeElement).toBe(page.field('Keywords'))
  expect(page.sentTo('POST /api/v1/jobs')).toMatchObject([{ keywords: [], lat: '95', max_cost: '-1' }])
  fireEvent.click(page.getByLabelText('Command line'))
  await page.see('--max-cost=-1')

  await page.fill('Credit limit', '1')
  await page.enter('Keywords', 'hotel')
  await page.seeAlert('2 fields need a correction.')
  expect(page.wrongFields()).toEqual(['Latitude', 'Longitude'])
})

test.each([
  ['jobs/new', 'Create job', 'POST /api/v1/jobs', 'country'],
  ['monitors/new', 'Create monitor', 'POST /api/v1/monitors', 'job.country'],
] as const)('an error of no field of %s is shown beside “%s”', async (path, button, operation, field) => {
  const old = job({ data: { ...job().data, country: 'xx' } })
  const page = openConsole(`${path}?from=${old.id}`, {
    ...ESTIMATE,
    ...jobRoutes(old),
    [operation]: refused(422, 'The request is not valid.', { [field]: 'is no country' }),
  })
  await page.press(button)
  await page.seeAlert(/country/)
  expect(page.wrongFields()).toEqual([])
})

test.each([
  ['jobs/new', 'Create job', 'jobs', 'POST /api/v1/jobs'],
  ['monitors/new', 'Create monitor', 'monitors', 'POST /api/v1/monitors'],
] as const)(
  'more than 1,000 places of a file in %s become several: “%s” sends each',
  async (path, button, list, sends) => {
    const made = [idOf(1), idOf(2)]
    const page = openConsole(path, {
      ...ESTIMATE,
      'POST /api/v1/jobs': () => ({ id: made.shift() ?? expect.unreachable() }),
      'POST /api/v1/monitors': () => monitor({ id: made.shift() ?? expect.unreachable() }),
    })
    await page.upload('list.csv', `data id,x\n${PLACES.join(',1\n')}`)
    await page.see('1,001 places. They become 2 jobs')
    await page.fill('Name', 'checked again')
    await page.press(button)
    await waitFor(() => expect(location.pathname).toBe(`/console/${list}`))
    expect(page.sentTo(sends)).toMatchObject([{ name: 'checked again (1 of 2)' }, { name: 'checked again (2 of 2)' }])
  },
)

test('places are pasted, or dropped as a table whose column is chosen, and sent without a keyword', async () => {
  const page = openConsole('jobs/new', {
    ...ESTIMATE,
    ...jobRoutes(job()),
    'POST /api/v1/jobs': { id: job().id },
  })
  await page.fill('Links and ids', '0x1:0x2\nthe bakery')
  await page.see('This names no place: the bakery')

  const ids = [1, 2, 3].map((n) => `0x1:0x${n}`)
  const rows = ids.map((id, n) => `"Shop; ${n}";${id};${n}`)
  const file = new File([['Name;Where;No', ...rows, 'Other;none;4'].join('\r\n')], 'shops.csv')
  fireEvent.drop(page.field('Links and ids'), { dataTransfer: { files: [file] } })
  await waitFor(() => expect(page.valueOf('Links and ids')).toBe(''))
  await page.fill('Column of the places', '1') // its second
  await page.see('3 places. 1 row names no place and is left out: 5.')
  expect(page.valueOf('Links and ids')).toBe(ids.join('\n'))
  await page.see('Your credits cover it.')
  await page.press('Create job')
  await waitFor(() => expect(location.pathname).toBe(`/console/jobs/${job().id}`))
  expect(page.sentTo('POST /api/v1/jobs')).toMatchObject([{ name: `${ids[0]} +2`, places: ids }])
})

test('a copy of a job has its places', async () => {
  const given = job({ data: { ...job().data, keywords: [], places: ['0x1:0x2', '0x1:0x3'] } })
  const page = openConsole(`jobs/new?from=${given.id}`, { ...ESTIMATE, ...jobRoutes(given) })
  await waitFor(() => expect(page.valueOf('Links and ids')).toBe('0x1:0x2\n0x1:0x3'))
})
