import type { Db } from 'mongodb'
import type { JobDocument } from '../jobs/documents.ts'
import type { PausedMonitor } from '../webhooks/deliveries/record.ts'
import { recordChanges } from './changes/record.ts'
import type { MonitorDocument, Run } from './documents.ts'
import type { MonitorStore } from './store.ts'

/** Tells the webhooks of a user that the service paused a monitor. Safe to repeat. */
export type AnnouncePause = (monitor: PausedMonitor) => Promise<void>

export type RunEndDeps = { db: Db; monitors: MonitorStore; announcePause: AnnouncePause }

/** Announces the pause of a monitor, if the service paused it. Safe to repeat. */
export async function tellOfPause(
  { announcePause }: Pick<RunEndDeps, 'announcePause'>,
  { _id: monitor_id, user_id, name, paused, pause_reason: reason = '', paused_at }: MonitorDocument,
): Promise<void> {
  if (paused && paused_at) await announcePause({ monitor_id, user_id, name, reason, paused_at })
}

/** Runs that may fail one after the other before their monitor is paused. */
const MAX_FAILURES = 3

/**
 * Records the end of a monitor's job and the changes that it found, and pauses the monitor after three failures in a
 * row. Safe to repeat.
 */
export async function recordRunEnd({ db, ...deps }: RunEndDeps, job: JobDocument): Promise<void> {
  const { monitors } = deps
  const { monitor, status, _id: job_id, failure_reason: reason } = job
  if (!monitor || (status !== 'completed' && status !== 'failed' && status !== 'cancelled')) return
  const run: Run = { at: monitor.at, state: status, job_id, ...(reason !== undefined && { reason }) }
  await recordChanges(db, { ...job, monitor })
  await monitors.recordEnd(monitor.id, run)
  const failures = status === 'failed' ? { $add: ['$failures', 1] } : status === 'completed' ? 0 : '$failures'
  const pause = { $and: [status === 'failed', { $gte: ['$failures', MAX_FAILURES] }] }
  const ended = await monitors.compareAndSet({ _id: monitor.id, 'running.job_id': job_id }, [
    { $set: { failures, last_run: { $literal: run } } },
    {
      $set: {
        running: '$$REMOVE',
        paused: { $cond: [pause, true, '$paused'] },
        paused_at: { $cond: [pause, '$$NOW', '$paused_at'] },
        pause_reason: {
          $cond: [pause, { $literal: `failures: ${MAX_FAILURES} runs failed. ${reason ?? ''}` }, '$pause_reason'],
        },
      },
    },
  ])
  if (ended) await tellOfPause(deps, ended)
}
