import { createClientMemory } from '@placefleet/agent/maps/requests/client-memory'
import { expect, test } from 'vitest'

const FIVE_MINUTES = 300_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A memory, and its clock. */
function memoryAt() {
  const clock = { now: 0 }
  return { clock, memory: createClientMemory(() => clock.now) }
}

test('a door where only Chromium was complete is asked by Chromium for five minutes, even while it is used', () => {
  const { clock, memory } = memoryAt()
  memory.preferBrowser('place')
  expect([memory.first('place'), memory.first('search')]).toEqual(['browser', 'http'])
  clock.now = FIVE_MINUTES - 1
  memory.preferBrowser('place')
  expect(memory.first('place')).toBe('browser')
  clock.now = FIVE_MINUTES
  expect(memory.first('place')).toBe('http')
})

test('a door where Chromium brought nothing better twice is spared for five minutes', () => {
  const { clock, memory } = memoryAt()
  memory.browserWasUseless('reviews')
  expect(memory.sparesBrowser('reviews')).toBe(false)
  memory.browserWasUseless('reviews')
  expect([memory.sparesBrowser('reviews'), memory.sparesBrowser('place')]).toEqual([true, false])
  clock.now = FIVE_MINUTES
  expect(memory.sparesBrowser('reviews')).toBe(false)
})

test('a better answer of Chromium forgives a useless one', () => {
  const { memory } = memoryAt()
  memory.browserWasUseless('place')
  memory.preferBrowser('place')
  memory.browserWasUseless('place')
  expect(memory.sparesBrowser('place')).toBe(false)
})

test('a client that was refused twice without an answer between is skipped for a day, at every door', () => {
  const { clock, memory } = memoryAt()
  memory.refused('http', 1)
  memory.refused('http', 1) // sent together with the other
  memory.answered('http')
  memory.refused('http', 2)
  expect(memory.first('place')).toBe('http') // too many requests, not the wrong client
  memory.refused('http', 3)
  expect(memory.first('search')).toBe('browser')
  clock.now = DAY
  expect(memory.first('place')).toBe('http')
})

test('where the site wants scripts at a door, only Chromium asks there, for a day', () => {
  const { clock, memory } = memoryAt()
  const state = () => [memory.first('search'), memory.first('place'), memory.refusesHttp()]
  expect(state()).toEqual(['http', 'http', false])
  memory.needsScripts('search')
  expect(state()).toEqual(['browser', 'http', true])
  clock.now = DAY
  expect(state()).toEqual(['http', 'http', false])
})

test('an endpoint that the site closed stays closed for an hour, and no other', () => {
  const { clock, memory } = memoryAt()
  memory.close('reviews')
  clock.now = HOUR - 1
  expect([memory.isClosed('reviews'), memory.isClosed('place')]).toEqual([true, false])
  clock.now = HOUR
  expect(memory.isClosed('reviews')).toBe(false)
})
