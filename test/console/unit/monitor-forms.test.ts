// @vitest-environment happy-dom
import { fireEvent, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Routes, Schemas } from './harness/fake-api.ts'
import { refused } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { ESTIMATE, idOf, job, jobRoutes, monitor } from './harness/samples.ts'

const SOON = Array.from({ length: 5 }, (_, nth) => `2099-01-0${nth + 1}T06:30:00.000Z`)

/** The routes of one monitor, which its changes change. */
function monitorRoutes(start: Schemas['Monitor']): Routes {
  let stored = start
  return {
    'GET /api/v1/monitors': () => ({ monitors: [stored] }),
    'GET /api/v1/monitors/{id}': () => stored,
    'GET /api/v1/monitors/{id}/changes': { changes: [], has_more: false },
    'GET /api/v1/monitors/{id}/runs': { runs: [] },
    'PATCH /api/v1/monitors/{id}': ({ body: { job: changed, ends_at, pause_reason, ...given } }) => {
      const { ends_at: _, pause_reason: __, ...rest } = stored
      stored = {
        ...rest,
        ...given,
        ...(ends_at && { ends_at }),
        ...(pause_reason && { pause_reason }),
        job: {
          ...stored.job,
          ...(changed?.keywords && { keywords: changed.keywords }),
          only_new: changed?.only_new ?? false,
        },
        next_runs: given.paused || ends_at ? [] : SOON,
        updated_at: new Date().toISOString(),
      }
      return stored
    },
  }
}

test('a monitor is made without a job: its keywords are asked for, and nothing is paid before the first run', async () => {
  const page = openConsole('monitors', ESTIMATE)
  await page.click('link', 'New monitor')
  page.routes['POST /api/v1/monitors'] = refused(422, 'The request is not valid.', {
    'job.keywords': 'needs one to five keywords',
  })
  await page.press('Create monitor')
  await waitFor(() => expect(page.wrongFields()).toEqual(['Keywords']))
  const made = monitor({ name: 'hotel' })
  Object.assign(page.routes, monitorRoutes(made), { 'POST /api/v1/monitors': made })
  await page.enter('Keywords', 'hotel')
  await page.press('Create monitor')
  await page.findByRole('heading', { name: 'hotel' })
  expect(page.sentTo('POST /api/v1/monitors')).toMatchObject([{}, { name: 'hotel', job: { keywords: ['hotel'] } }])
  expect(page.sentTo('POST /api/v1/jobs')).toEqual([])
})

test('a monitor is made of a job, with a schedule', async () => {
  const page = openConsole(`jobs/${job().id}`, { ...ESTIMATE, ...jobRoutes(job({ name: 'Watched hotels' })) })
  await page.click('link', 'Monitor')
  const made = monitor({ schedule: { cron: '30 7 * * *', timezone: 'Europe/Berlin' }, next_runs: SOON })
  Object.assign(page.routes, monitorRoutes(made), { 'POST /api/v1/monitors': made })
  await page.fill('How often', 'day')
  await page.fill('Time', '07:30')
  await page.press('Create monitor')
  await page.see('Every day at 07:30 (Europe/Berlin)')
  expect(within(page.getByRole('list', { name: 'Next runs' })).getAllByRole('listitem')).toHaveLength(5)
  expect(page.sentTo('POST /api/v1/monitors')).toMatchObject([
    { name: 'Watched hotels', schedule: { cron: '30 7 * * *' }, job: { keywords: ['hotel'] } },
  ])
})

test('a monitor gets other settings and other keywords', async () => {
  const page = openConsole(`monitors/${monitor().id}?tab=settings`, monitorRoutes(monitor()))
  await page.fill('How often', 'hours')
  await page.fill('Hours between two runs', '1.5')
  await page.fill('Ends on', '2020-01-01T06:00')
  fireEvent.click(page.getByLabelText('Collect only new places'))
  await page.press('Save settings')
  await page.see('Every 90m')
  await page.see('No further run')
  await page.see('Collects only places that you do not know yet')
  await page.fill('Ends on', '')
  await page.press('Save settings')
  await page.findByRole('list', { name: 'Next runs' })
  expect(page.sentTo('PATCH /api/v1/monitors/{id}')).toMatchObject([
    { schedule: { every: '90m' }, ends_at: new Date(2020, 0, 1, 6).toISOString(), job: { only_new: true } },
    { ends_at: null },
  ])

  await page.press('Change keywords and area')
  await page.enter('Keywords', 'hostel')
  await page.press('Save settings')
  await page.see('hotel, hostel')
})

test('a monitor runs at once', async () => {
  const page = openConsole(`monitors/${monitor().id}`, {
    ...monitorRoutes(monitor()),
    ...jobRoutes(job({ id: idOf(11), name: 'Its first run' })),
    'POST /api/v1/monitors/{id}/run': { job_id: idOf(11) },
  })
  await page.press('Run now')
  await page.findByRole('heading', { name: 'Its first run' })
  expect(location.pathname).toBe(`/console/jobs/${idOf(11)}`)
})

test('a monitor pauses with a reason, goes on and is deleted after a confirmation', async () => {
  const page = openConsole(`monitors/${monitor().id}`, monitorRoutes(monitor()))
  await page.press('Pause')
  await page.fill('Why?', 'holidays')
  await page.pressInDialog('Pause')
  await page.see('holidays')
  await page.press('Resume')
  await page.findByRole('list', { name: 'Next runs' })
  expect(page.sentTo('PATCH /api/v1/monitors/{id}')).toEqual([
    { paused: true, pause_reason: 'holidays' },
    { paused: false },
  ])

  page.routes['DELETE /api/v1/monitors/{id}'] = undefined
  await page.press('Delete')
  page.routes['GET /api/v1/monitors'] = { monitors: [] }
  await page.pressInDialog('Delete')
  await page.see('No monitors yet')
})
