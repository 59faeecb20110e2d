import { every, type Loop } from '@placefleet/shared/lifecycle'
import { canFail } from '@placefleet/shared/log'
import { PAYMENT_SWEEP_MS } from './billing/purchases/payments.ts'
import { followJobEnds } from './fleet/job-ends.ts'
import { deleteOldJobs } from './jobs/cancel.ts'
import { LOOK_MS } from './jobs/due-jobs.ts'
import { expireLeases, notifyAgain } from './jobs/sweep.ts'
import { REMOVE_EXPIRED_MS, removeExpired } from './mongo/expiry.ts'
import { removeOldRecords } from './monitors/removal.ts'
import { createMonitorWorkers } from './monitors/run.ts'
import { PRESENCE_MS } from './process/presence.ts'
import type { Process } from './process/process.ts'
import { indexes, type Services } from './services.ts'
import { createDeliveryDeps, followDeliveryNotifications, startDispatch } from './webhooks/deliveries/dispatch.ts'

/** How often each coordinator deletes jobs older than RETENTION_DAYS. */
const RETENTION_MS = 60_000

/**
 * Starts the background work of a coordinator: loops that run at intervals, and subscribers that run when notified. The
 * lifecycle owns them. Returns the loop whose end takes long.
 */
export function startLoops(
  { config, log, life, db, nats, counters }: Process,
  services: Services,
): { deliveries: Loop } {
  const loop = (name: string, everyMs: number, once: (signal: AbortSignal) => Promise<unknown>) =>
    life.own(name, every(everyMs, name, log, counters.ofLoop(name, once)), (running) => running.stop())

  const { presence, timings, jobs, tasks, leases, notifier, engine } = services
  life.own('presence', presence, (mine) => canFail(log, 'removing this coordinator from the list', mine.leave()))
  loop('announcing this coordinator', PRESENCE_MS, () => presence.beat())
  life.own('following the ends of jobs', followJobEnds(nats, services.streams, log), (following) => following.close())
  loop('listing the agents of the fleet', timings.sweepMs, () => services.taskAgents.refresh())
  const { activeJobs, endedJobs } = services
  life.own('work on active jobs', activeJobs, (workers) => workers.stop())
  life.own('work on ended jobs', endedJobs, (workers) => workers.stop())
  loop('starting work on active jobs', LOOK_MS, () => activeJobs.start())
  loop('starting work on ended jobs', LOOK_MS, () => endedJobs.start())
  loop('taking tasks from dead agents', LOOK_MS, () => expireLeases({ leases, engine }))
  loop('notifying the fleet again', timings.sweepMs, () => notifyAgain({ tasks, notifier, timings }))
  const monitors = createMonitorWorkers(services.monitoring)
  life.own('work on runs of monitors', monitors.runs, (workers) => workers.stop())
  life.own('work on monitors', monitors.monitors, (workers) => workers.stop())
  loop('continuing the runs of monitors', timings.sweepMs, () => monitors.runs.start())
  loop('starting the runs of monitors', timings.sweepMs, () => monitors.monitors.start())
  loop('removing expired documents', REMOVE_EXPIRED_MS, (signal) => removeExpired(db, indexes, signal))
  loop('deleting old tasks', REMOVE_EXPIRED_MS, () => tasks.forgetEnded())
  const days = config.RETENTION_DAYS
  if (days !== undefined) {
    loop('deleting old jobs', RETENTION_MS, () => deleteOldJobs(jobs, engine, days))
    loop('deleting old runs and changes of monitors', REMOVE_EXPIRED_MS, () => removeOldRecords(services, days))
  }
  loop('catching up with payments', PAYMENT_SWEEP_MS, services.payments.sweepOnce)

  const hourly = { account: config.WEBHOOK_HOURLY_ACCOUNT, address: config.WEBHOOK_HOURLY_ADDRESS }
  const { secrets } = services
  const delivering = createDeliveryDeps({ log, db, secrets, allowHosts: config.WEBHOOK_ALLOW_HOSTS, hourly, timings })
  const counted = { ...delivering, queue: counters.ofDeliveries(delivering.queue) }
  const dispatch = life.own('webhook deliveries', startDispatch(counted), (running) => running.stop())
  life.own('delivery notifications', followDeliveryNotifications(nats, log, dispatch.wake), (following) =>
    following.close(),
  )
  return { deliveries: dispatch }
}
