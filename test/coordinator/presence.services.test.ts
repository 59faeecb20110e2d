import { createPresence } from '@placefleet/coordinator/process/presence'
import { expect, test } from 'vitest'
import { testDatabase } from '../harness/servers/database.ts'
import { steppingDb, WRITES } from '../harness/servers/stepping-database.ts'

const { db } = await testDatabase()

/** A presence over a database that may reject writes, and how many it was asked for. */
function presence() {
  const state = { now: 0, rejects: false, writes: 0 }
  const seen = steppingDb(db, WRITES, async (write) => {
    state.writes += 1
    if (state.rejects) throw new Error('the disk is full')
    return write()
  })
  return { state, ...createPresence(seen, '1.0.0', () => state.now) }
}

test('whether the database accepts writes is known a second later at most, in both directions', async () => {
  const { state, acceptsWrites } = presence()
  expect(await acceptsWrites()).toBe(true)
  state.rejects = true
  state.now += 1_000
  expect(await acceptsWrites()).toBe(false)
  state.rejects = false
  state.now += 1_000
  expect(await acceptsWrites()).toBe(true)
})

test('any number of health checks cost one write a second, and none soon after a heartbeat', async () => {
  const { state, acceptsWrites, beat } = presence()
  await Promise.all(Array.from({ length: 100 }, acceptsWrites))
  await acceptsWrites()
  expect(state.writes).toBe(1)
  state.now += 1_000
  await beat()
  state.now += 999
  expect(await acceptsWrites()).toBe(true)
  expect(state.writes).toBe(2)
})
