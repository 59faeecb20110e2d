// @vitest-environment happy-dom
import { waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refused } from './harness/fake-api.ts'
import { openConsole } from './harness/open-console.ts'
import { apiKey, balance, idOf, knownPlace, session } from './harness/samples.ts'

test('known places are uploaded, listed with their jobs, and forgotten after a confirmation', async () => {
  let known = [knownPlace('0xa:0xb', { last_job_id: idOf(10) })]
  const page = openConsole('known-places', {
    'GET /api/v1/known-places': () => ({ known_places: known, has_more: false }),
    'POST /api/v1/known-places': () => {
      known = [...known, knownPlace('0xabc:0xdef')]
      return { added: 1, already_known: 1, unreadable: 1 }
    },
    'DELETE /api/v1/known-places': () => {
      known = []
      return undefined
    },
  })
  const row = (name: RegExp) => page.findByRole('row', { name })
  expect(
    within(await row(/^0xa:0xb /))
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(`/console/jobs/${idOf(10)}`)

  const csv = 'data_id\n0xabc:0xdef\n0xa:0xb\nnothing\n'
  await page.upload('mine.csv', csv)
  await page.see('New places: 1. Known already: 1. Rows without a readable id: 1.')
  await row(/^0xabc:0xdef .*uploaded/)
  expect(page.sentTo('POST /api/v1/known-places')).toEqual([csv])
  page.routes['POST /api/v1/known-places'] = refused(422, 'The body is neither CSV nor XLSX.')
  await page.upload('mine.csv', '"')
  await page.see('The body is neither CSV nor XLSX')

  await page.press('Forget all')
  await page.pressInDialog('Forget all')
  await page.see('No known places yet')
})

test('a key gets spending limits and others later, and the error of a wrong amount is shown at its field', async () => {
  let keys: ReturnType<typeof apiKey>[] = []
  const page = openConsole('keys', {
    'GET /api/v1/api-keys': () => keys,
    'POST /api/v1/api-keys': refused(422, 'The request is not valid.', { 'limits.day': 'must be an amount' }),
    'PATCH /api/v1/api-keys/{id}': ({ body: { limits } }) => {
      keys = keys.map((key) => ({ ...key, limits }))
      return undefined
    },
  })
  await page.press('New key')
  await page.fill('What is the key for?', 'Assistant')
  await page.fill('Credits a day at most', 'much')
  await page.press('Create key')
  await waitFor(() => expect(page.wrongFields()).toEqual(['Credits a day at most']))

  page.routes['POST /api/v1/api-keys'] = ({ body: { name, limits = {} } }) => {
    const key = apiKey({ name, limits })
    keys = [key]
    return { id: key.id, name, key: `svc_${'a'.repeat(43)}`, key_hint_prefix: 'svc_', key_hint_suffix: 'aaaa' }
  }
  await page.fill('Credits a day at most', '1.5')
  await page.press('Create key')
  expect((await page.findByRole('region', { name: 'The key' })).textContent).toContain('svc_aaaa')
  await page.press('I have copied it')

  await page.findByRole('row', { name: /Assistant.*1\.50 a day/ })
  await page.press('Change the limits of Assistant')
  await page.fill('Credits a day at most', '')
  await page.fill('Credits a month at most', '20')
  await page.press('Save limits')
  await page.findByRole('row', { name: /Assistant.*20\.00 a month/ })
  expect(page.sentTo('PATCH /api/v1/api-keys/{id}')).toEqual([{ limits: { month: '20' } }])
})

test('a letter without a text is refused at its field, and sent with one', async () => {
  const page = openConsole('support', {
    'POST /api/v1/support': refused(422, 'The request is not valid.', { message: 'must not be empty' }),
  })
  await page.fill('Subject', 'Thanks')
  await page.press('Send')
  await waitFor(() => expect(page.wrongFields()).toEqual(['Message']))
  page.routes['POST /api/v1/support'] = { success: true }
  await page.fill('Message', 'It works as it should.')
  await page.press('Send')
  await page.see('Your message was received')
})

test('other sessions are ended one by one, or all at once', async () => {
  let sessions = [session(1, { current: true }), session(2), session(3), session(4)]
  const page = openConsole('account', {
    'GET /auth/sessions': () => sessions,
    'DELETE /auth/sessions/{id}': ({ parts }) => {
      sessions = sessions.filter(({ id }) => id !== parts.id)
      return undefined
    },
    'DELETE /auth/sessions': () => {
      sessions = sessions.filter(({ current }) => current)
      return undefined
    },
  })
  const others = () => page.queryAllByRole('button', { name: /^Sign out Firefox/ })
  await waitFor(() => expect(others()).toHaveLength(3))
  await page.press(/^Sign out Firefox/)
  await waitFor(() => expect(others()).toHaveLength(2))
  expect(sessions.map(({ id }) => id)).toEqual([idOf(1), idOf(3), idOf(4)])
  await page.press('Sign out all others')
  await waitFor(() => expect(others()).toEqual([]))
})

test('who pays is led to the page of the payment, and has the credits after the return', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  const page = openConsole('credits', {
    'POST /api/v1/credits/checkout-session': { session_id: 'cs_1', url: 'https://pay.example.com/cs_1' },
  })
  await page.fill('Credits', '40')
  await page.press('Pay')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example.com/cs_1'))
  expect(page.sentTo('POST /api/v1/credits/checkout-session')).toEqual([{ credits: '40', currency: 'USD' }])

  page.routes['POST /api/v1/credits/reconcile'] = () => {
    page.routes['GET /api/v1/credits/balance'] = balance({ total_credits_purchased: '40.000000' })
    return undefined
  }
  page.go('jobs')
  await page.findByRole('heading', { name: 'Jobs' })
  page.go('credits?checkout=success')
  await page.see('Your payment arrived')
  await page.see('40.00')
  expect(page.sentTo('POST /api/v1/credits/reconcile')).toEqual([{ session_id: 'cs_1' }])
})

test.each([
  ['was cancelled', 'credits?checkout=cancelled', 'Nothing was charged'],
  ['nobody knows', 'credits?checkout=success&session_id=cs_unknown', 'The payment has not arrived yet'],
])('after a return from a payment that %s, the page says what this means', async (_, path, text) => {
  const page = openConsole(path, { 'POST /api/v1/credits/reconcile': refused(404, 'There is no such payment.') })
  await page.see(text)
})

test('the page of credits says nothing of a payment to who comes from none', async () => {
  const page = openConsole('credits', {})
  await page.see('Available')
  expect(page.queryAllByText(/payment/)).toEqual([])
})
