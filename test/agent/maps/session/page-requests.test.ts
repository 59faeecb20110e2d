import { createPageRequests } from '@placefleet/agent/maps/session/page-requests'
import { expect, test } from 'vitest'

const REQUEST = { url: new URL('https://maps.example/photos') }

test('while no request is known one work runs, and the others wait until its page has sent one', async () => {
  const requests = createPageRequests()
  const ran: string[] = []
  const end = Promise.withResolvers<void>()
  const first = requests.afterFirst('photos', async () => {
    ran.push('first')
    await end.promise
  })
  const others = ['second', 'third'].map((name) => requests.afterFirst('photos', async () => void ran.push(name)))
  await Promise.resolve()
  expect(ran).toEqual(['first'])
  requests.note('photos', REQUEST)
  await Promise.all(others)
  expect(ran).toEqual(['first', 'second', 'third'])
  expect(requests.last('photos')).toBe(REQUEST)
  end.resolve()
  await first
})

test('work that brings no request keeps nobody waiting', async () => {
  const requests = createPageRequests()
  const failed = requests.afterFirst('photos', () => Promise.reject(new Error('no gallery')))
  const next = requests.afterFirst('photos', async () => requests.last('photos'))
  await expect(failed).rejects.toThrow('no gallery')
  await expect(next).resolves.toBeUndefined()
})
