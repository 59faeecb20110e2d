import { readConfig } from '@placefleet/coordinator/config'
import { type JobDocument, jobsOf } from '@placefleet/coordinator/jobs/documents'
import { recordRunEnd } from '@placefleet/coordinator/monitors/run-end'
import { createRunStore } from '@placefleet/coordinator/monitors/run-store'
import { createMonitorStore, type MonitorDraft } from '@placefleet/coordinator/monitors/store'
import { CreateJobRequest } from '@placefleet/shared/job'
import { natsServers } from '@placefleet/shared/nats'
import { connect } from 'nats'
import { expect } from 'vitest'
import { createParts } from '../../harness/coordinator/parts.ts'
import { lifeOf } from '../../harness/coordinator/sample-job.ts'
import { sweepMonitors } from '../../harness/coordinator/sweep-monitors.ts'
import { addUser } from '../../harness/coordinator/users.ts'
import { coordinatorEnv, startWorld } from '../../harness/coordinator/world.ts'

export const HOUR = 3_600_000

/** Coordinators without agents over one database, whose monitors live by a clock that the test sets. */
export async function startMonitorWorld(whenOver: (end: () => Promise<void>) => void) {
  const world = await startWorld(whenOver)
  const nats = await connect(natsServers(world.natsUrl))
  whenOver(() => nats.close())
  const config = readConfig(coordinatorEnv(world))
  const clock = { now: new Date('2026-03-01T00:00:00Z') }
  const now = () => clock.now
  const monitors = createMonitorStore(world.db, now)
  const runs = createRunStore(world.db, now)
  const deps = { ...(await createParts({ config, log: world.log, db: world.db, nats })), monitors, runs }
  const coordinator = { ...deps, recordRunEnd: (job: JobDocument) => recordRunEnd(deps, job) }

  return {
    db: world.db,
    expectError: world.expectError,
    clock,
    coordinator,
    monitors,
    runs,
    sweep: (by = coordinator) => sweepMonitors(by),

    /** A user with credits. */
    user: async (credits?: number): Promise<string> => (await addUser(world.db, credits)).user_id,

    /** A monitor that runs every hour from the present of the clock. */
    async hourly(user_id: string, more: Partial<MonitorDraft> = {}): Promise<string> {
      const { proxies: _, ...job } = CreateJobRequest.parse({ name: 'j', keywords: ['bakery'], language: 'en' })
      const monitor: MonitorDraft = {
        _id: crypto.randomUUID(),
        user_id,
        name: 'm',
        source: 'api',
        job,
        proxy_count: 0,
        schedule: { every: '1h' },
        jitter_seconds: 0,
        failures: 0,
        ...more,
      }
      return (await monitors.insert(monitor))._id
    },

    pass(ms: number): void {
      clock.now = new Date(clock.now.getTime() + ms)
    },

    find: async (user_id: string, monitor_id: string) =>
      (await monitors.find(user_id, monitor_id)) ?? expect.fail('the monitor is gone'),

    jobs: (monitor_id: string) =>
      jobsOf(world.db).find({ 'monitor.id': monitor_id, listed: true }).sort({ 'monitor.at': 1 }).toArray(),

    /** Ends a job of a monitor as the engine does. */
    async end(job_id: string, status: 'completed' | 'failed' | 'cancelled', tellMonitor = true): Promise<void> {
      const update = { $set: { ...lifeOf(status), status, ended_at: new Date() }, $unset: { slot: '' as const } }
      const job = await jobsOf(world.db).findOneAndUpdate({ _id: job_id }, update, { returnDocument: 'after' })
      if (job && tellMonitor) await coordinator.recordRunEnd(job)
    },
  }
}
