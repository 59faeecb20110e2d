import { retryDelayMs } from '@placefleet/coordinator/webhooks/deliveries/deliver'
import { createInFlightLimiter } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const ANSWERED = Promise.resolve({ answered: true })
const SILENT = Promise.resolve({ answered: false })

test('two attempts by hand may be in flight to a host, beside its events', async () => {
  const limiter = createInFlightLimiter({ total: 10, perHost: 8 })
  const { promise, resolve } = Promise.withResolvers<{ answered: boolean }>()
  expect(limiter.room().of('host by hand')).toBe(2)
  for (const queue of ['host', 'host', 'host by hand', 'host by hand']) void limiter.track(queue, promise)

  const { full, of, total } = limiter.room()
  expect([full, of('host'), of('host by hand'), total]).toEqual([['host by hand'], 6, 0, 6])
  resolve({ answered: true })
  await limiter.idle()
  expect(limiter.room().full).toEqual([])
})

test('a host that gave no response gets no attempt for two seconds, and others get theirs', async () => {
  let now = 0
  const limiter = createInFlightLimiter({ total: 10, perHost: 2 }, () => now)
  await Promise.all([limiter.track('dead', SILENT), limiter.track('healthy', ANSWERED)])

  const room = limiter.room()
  expect([room.full, room.of('dead'), room.of('healthy')]).toEqual([['dead'], 0, 2])
  now = 2_000
  expect([limiter.room().full, limiter.room().of('dead')]).toEqual([[], 2])
})

const WINDOWS: [attempt: number, least: number, most: number][] = [
  [1, 1_000, 3_000],
  [2, 2_000, 6_000],
  [3, 4_000, 12_000],
  [4, 8_000, 24_000],
]

test.each(WINDOWS)('after attempt %i both ends of %i to %i ms can be had', (attempt, least, most) => {
  expect(retryDelayMs(attempt, () => 0)).toBe(least)
  expect(retryDelayMs(attempt, () => 1 - Number.EPSILON)).toBeCloseTo(most, 3)
})

test('no wait is longer than an hour', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2_000 }), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (attempt, chance) => {
      expect(retryDelayMs(attempt, () => chance)).toBeLessThanOrEqual(3_600_000)
    }),
  )
})
