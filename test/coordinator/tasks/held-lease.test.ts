import { holdLease, type Moment } from '@placefleet/coordinator/tasks/held-lease'
import type { Lease } from '@placefleet/coordinator/tasks/lease'
import { expect, test } from 'vitest'

const LEASE: Lease = { task_id: 'task', agent_id: 'agent', stream: 'stream', attempt: 1 }

/** A lease that was granted so long ago by each clock, and how often it was renewed since. */
function hold(secondsAgo: { monotonic: number; wall: number }, isHeld = true) {
  const granted: Moment = {
    monotonicMs: performance.now() - secondsAgo.monotonic * 1_000,
    wallMs: Date.now() - secondsAgo.wall * 1_000,
  }
  let renewed = 0
  const renew = async () => {
    renewed += 1
    return isHeld
  }
  return { held: holdLease({ renew }, LEASE, granted), renewed: () => renewed }
}

/** Checks a lease that may be five seconds old. Returns whether it is held, and how often it was renewed. */
async function check({ held, renewed }: ReturnType<typeof hold>) {
  return { isHeld: await held.renewIfOlderThan(5_000), renewed: renewed() }
}

test('a lease that was confirmed a moment ago is not renewed before each event', async () => {
  expect(await check(hold({ monotonic: 1, wall: 1 }))).toEqual({ isHeld: true, renewed: 0 })
})

test.each([
  ['long ago', { monotonic: 60, wall: 60 }],
  ['before this machine slept', { monotonic: 1, wall: 60 }],
  ['before its clock was set back', { monotonic: 60, wall: -3_600 }],
])('a lease that was confirmed %s is renewed, and lost when another agent has the task', async (_, secondsAgo) => {
  expect(await check(hold(secondsAgo))).toEqual({ isHeld: true, renewed: 1 })
  expect(await check(hold(secondsAgo, false))).toEqual({ isHeld: false, renewed: 1 })
})

test('a write that found the lease confirms it, and one that did not find it does not', async () => {
  const [found, missed] = [hold({ monotonic: 60, wall: 60 }), hold({ monotonic: 60, wall: 60 })]
  await found.held.confirmBy(async () => ({ isRecorded: true }))
  await missed.held.confirmBy(async () => ({ isRecorded: false }))
  expect(await check(found)).toEqual({ isHeld: true, renewed: 0 })
  expect(await check(missed)).toEqual({ isHeld: true, renewed: 1 })
})

test('a lease that another stream may hold is asked for at once', async () => {
  const lease = hold({ monotonic: 1, wall: 1 }, false)
  lease.held.markUnsure()
  expect(await check(lease)).toEqual({ isHeld: false, renewed: 1 })
})
