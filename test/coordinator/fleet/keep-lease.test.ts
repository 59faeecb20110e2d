import { keepLease, type Moment } from '@placefleet/coordinator/fleet/ingest'
import type { Lease } from '@placefleet/coordinator/tasks/lease'
import { expect, test } from 'vitest'
import { sampleJob } from '../../harness/coordinator/sample-job.ts'

const LEASE: Lease = { task_id: 'task', agent_id: 'agent', stream: 'stream', attempt: 1 }

/** Keeps a lease that was confirmed so long ago by each clock, and returns the result and how often it was renewed. */
async function keep(secondsAgo: { monotonic: number; wall: number }, isHeld = true) {
  const confirmed: Moment = {
    monotonicMs: performance.now() - secondsAgo.monotonic * 1_000,
    wallMs: Date.now() - secondsAgo.wall * 1_000,
  }
  let renewed = 0
  const renew = async () => {
    renewed += 1
    return isHeld
  }
  const kept = await keepLease(
    { leases: { renew } },
    {
      lease: LEASE,
      exit: 'home',
      proxied: false,
      job: sampleJob('user'),
      ordinal: 0,
      inputs: new Map(),
      confirmed,
      cells: 0,
    },
    5_000,
  )
  return { kept, renewed }
}

test('a lease that was confirmed a moment ago is not renewed before each event', async () => {
  expect(await keep({ monotonic: 1, wall: 1 })).toEqual({ kept: true, renewed: 0 })
})

test.each([
  ['long ago', { monotonic: 60, wall: 60 }],
  ['before this machine slept', { monotonic: 1, wall: 60 }],
  ['before its clock was set back', { monotonic: 60, wall: -3_600 }],
])('a lease that was confirmed %s is renewed, and lost when another agent has the task', async (_, secondsAgo) => {
  expect(await keep(secondsAgo)).toEqual({ kept: true, renewed: 1 })
  expect(await keep(secondsAgo, false)).toEqual({ kept: false, renewed: 1 })
})
