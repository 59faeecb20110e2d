import { createInFlightLimiter } from '@placefleet/coordinator/webhooks/deliveries/in-flight'
import { expect, test } from 'vitest'

const ANSWERED = Promise.resolve({ answered: true })
const SILENT = Promise.resolve({ answered: false })

test('a host that gave no response gets no attempt for two seconds, and others get theirs', async () => {
  let now = 0
  const limiter = createInFlightLimiter({ total: 10, perHost: 2 }, () => now)
  await Promise.all([limiter.track('dead', SILENT), limiter.track('healthy', ANSWERED)])

  const room = limiter.room()
  expect([room.full, room.of('dead'), room.of('healthy')]).toEqual([['dead'], 0, 2])
  now = 2_000
  expect([limiter.room().full, limiter.room().of('dead')]).toEqual([[], 2])
})
