import { every, type Lifecycle, type Loop } from '@placefleet/shared/lifecycle'
import { canFail } from '@placefleet/shared/log'
import { PAYMENT_SWEEP_MS } from './billing/purchases/payments.ts'
import type { Context } from './context.ts'
import { followJobEnds } from './fleet/job-ends.ts'
import { indexes } from './indexes.ts'
import { deleteOldJobs } from './jobs/cancel.ts'
import { LOOK_MS } from './jobs/due-jobs.ts'
import { expireLeases, notifyAgain } from './jobs/sweep.ts'
import { REMOVE_EXPIRED_MS, removeExpired } from './mongo/expiry.ts'
import { removeOldRecords } from './monitors/removal.ts'
import { createMonitorWorkers } from './monitors/run.ts'
import { PRESENCE_MS } from './process/presence.ts'
import type { Services } from './services.ts'
import { forgetEndedTasks } from './tasks/store.ts'
import { startDeliveries } from './webhooks/webhooks.ts'

/** How often each coordinator deletes jobs older than RETENTION_DAYS. */
const RETENTION_MS = 60_000

/**
 * Starts the background work of a coordinator: loops that run at intervals, and subscribers that run when notified. The
 * lifecycle owns them. Returns the loop whose end takes long.
 */
export function startLoops(context: Context, life: Lifecycle, services: Services): { deliveries: Loop } {
  const { config, log, db, nats, counters, timings } = context
  const loop = (name: string, everyMs: number, once: (signal: AbortSignal) => Promise<unknown>) =>
    life.own(name, every(everyMs, name, log, counters.ofLoop(name, once)), (running) => running.stop())
  const { presence, fleet, tasks, jobs, monitors, billing } = services

  life.own('presence', presence, (mine) => canFail(log, 'removing this coordinator from the list', mine.leave()))
  loop('announcing this coordinator', PRESENCE_MS, () => presence.beat())

  life.own('following the ends of jobs', followJobEnds(nats, fleet.streams, log), (following) => following.close())
  loop('listing the agents of the fleet', timings.sweepMs, () => fleet.taskAgents.refresh())

  life.own('work on active jobs', jobs.activeJobs, (workers) => workers.stop())
  life.own('work on ended jobs', jobs.endedJobs, (workers) => workers.stop())
  loop('starting work on active jobs', LOOK_MS, () => jobs.activeJobs.start())
  loop('starting work on ended jobs', LOOK_MS, () => jobs.endedJobs.start())
  loop('taking tasks from dead agents', LOOK_MS, () => expireLeases({ ...tasks, ...jobs }))
  loop('notifying the fleet again', timings.sweepMs, () => notifyAgain({ ...tasks, db, timings }))

  const workers = createMonitorWorkers(monitors)
  life.own('work on runs of monitors', workers.runs, (runs) => runs.stop())
  life.own('work on monitors', workers.monitors, (due) => due.stop())
  loop('continuing the runs of monitors', timings.sweepMs, () => workers.runs.start())
  loop('starting the runs of monitors', timings.sweepMs, () => workers.monitors.start())

  loop('removing expired documents', REMOVE_EXPIRED_MS, (signal) => removeExpired(db, indexes, signal))
  loop('deleting old tasks', REMOVE_EXPIRED_MS, () => forgetEndedTasks(db))
  const days = config.RETENTION_DAYS
  if (days !== undefined) {
    loop('deleting old jobs', RETENTION_MS, () => deleteOldJobs(db, jobs.engine, days))
    loop('deleting old runs and changes of monitors', REMOVE_EXPIRED_MS, () => removeOldRecords(monitors, days))
  }
  loop('catching up with payments', PAYMENT_SWEEP_MS, billing.payments.sweepOnce)
  return { deliveries: startDeliveries(context, life, services.secrets) }
}
