import { createInFlightLimiter } from '@placefleet/coordinator/webhooks/deliveries/dispatch'
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
