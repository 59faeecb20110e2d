import { setTimeout as sleep } from 'node:timers/promises'
import { jobsOf } from '@placefleet/coordinator/jobs/documents'
import { type MonitorDocument, monitorsOf, runsOf } from '@placefleet/coordinator/monitors/documents'
import { MAX_MONITORS } from '@placefleet/coordinator/monitors/store'
import { CreateJobRequest } from '@placefleet/shared/job'
import type { Db } from 'mongodb'
import { expect, test } from 'vitest'
import { startProcess } from '../harness/coordinator/processes.ts'
import { addUser } from '../harness/coordinator/users.ts'
import { coordinatorEnv, startWorld } from '../harness/coordinator/world.ts'
import { until } from '../harness/until.ts'

const USERS = 10
const OCCURRENCES = USERS * MAX_MONITORS
/** The occurrences are due within this time. */
const SPREAD_MS = 90_000
/** A coordinator leaves the monitor of a dead one alone for a minute, and its half-made job for another. */
const SETTLED_WITHIN_MS = 400_000
const QUARTER_MS = 15 * 60_000

/** Creates 500 monitors with one occurrence each in the next minutes. */
async function createMonitors(db: Db): Promise<void> {
  const { proxies: _, ...job } = CreateJobRequest.parse({ name: 'j', keywords: ['bakery'], language: 'en' })
  for (let user = 0; user < USERS; user++) {
    const { user_id } = await addUser(db)
    const monitors = Array.from({ length: MAX_MONITORS }, (_, slot): MonitorDocument => {
      const now = new Date()
      const due_at = new Date(now.getTime() + 2_000 + Math.floor(SPREAD_MS * Math.random()))
      return {
        _id: crypto.randomUUID(),
        user_id,
        slot,
        name: 'm',
        source: 'api',
        job,
        proxy_count: 0,
        schedule: { every: '15m' },
        anchor: new Date(due_at.getTime() - QUARTER_MS),
        jitter_seconds: 0,
        watermark: now,
        failures: 0,
        created_at: now,
        updated_at: now,
        due_at,
      }
    })
    await monitorsOf(db).insertMany(monitors)
  }
}

test('over the kills of two coordinators 500 occurrences run once each, or are skipped visibly', async () => {
  const world = await startWorld()
  const { db } = world
  const env = { ...coordinatorEnv(world), LOG_LEVEL: 'info', MAX_CONCURRENT_JOBS_FREE: '100' }
  const started = (running: { stderr(): string }) =>
    until(
      `a coordinator starts\n${running.stderr()}`,
      () => running.stderr().includes('"coordinator started"'),
      120_000,
    )
  const replicas = [startProcess('coordinator/main.ts', env), startProcess('coordinator/main.ts', env)]
  await Promise.all(replicas.map(started))
  await createMonitors(db)

  const end = Date.now() + SPREAD_MS + 5_000
  let kills = 0
  const killed = replicas.map(async (first) => {
    for (let running = first; Date.now() < end; kills++) {
      await sleep(200 + 3_000 * Math.random())
      await running.kill('SIGKILL')
      running = startProcess('coordinator/main.ts', env)
      await started(running)
    }
  })
  await Promise.all(killed)
  const isDecided = async () => {
    const recorded = await runsOf(db).countDocuments()
    return recorded >= OCCURRENCES && (await runsOf(db).countDocuments({ state: 'due' })) === 0
  }
  await until('every occurrence is decided', isDecided, SETTLED_WITHIN_MS)

  const runs = await runsOf(db).find().toArray()
  const jobs = await jobsOf(db).find({ listed: true }).toArray()
  const monitors = await monitorsOf(db).find().toArray()
  const identity = (monitor_id: string, at: Date) => `${monitor_id} ${at.toISOString()}`
  const due = monitors.map(({ _id, anchor }) => identity(_id, new Date(anchor.getTime() + QUARTER_MS)))
  expect(runs.map(({ monitor_id, at }) => identity(monitor_id, at)).toSorted()).toEqual(due.toSorted())
  const startedRuns = runs.filter(({ job_id }) => job_id !== undefined)
  expect(startedRuns.map(({ job_id }) => job_id).toSorted()).toEqual(jobs.map(({ _id }) => _id).toSorted())
  const created = jobs.map(({ monitor }) => monitor && identity(monitor.id, monitor.at))
  expect(new Set(created).size).toBe(jobs.length)
  const states = Object.groupBy(runs, ({ state }) => state)
  const counts = Object.fromEntries(Object.entries(states).map(([state, some = []]) => [state, some.length]))
  console.log({ kills, occurrences: runs.length, jobs: jobs.length, ...counts })
})
