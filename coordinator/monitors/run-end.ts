import type { Logger } from '@placefleet/shared/log'
import type { Db } from 'mongodb'
import type { MicroCredits } from '../billing/prices/cost.ts'
import type { JobDocument } from '../jobs/documents.ts'
import type { PausedMonitor } from '../webhooks/deliveries/record.ts'
import { recordChanges } from './changes/record.ts'
import { countChanges } from './changes/store.ts'
import type { MonitorDocument, RunEnd } from './documents.ts'
import type { RunStore } from './run-store.ts'
import type { MonitorStore } from './store.ts'

/** Tells the webhooks of a user that the service paused a monitor. Safe to repeat. */
export type AnnouncePause = (monitor: PausedMonitor) => Promise<void>

type RunEndDeps = {
  db: Db
  log: Logger
  monitors: MonitorStore
  runs: RunStore
  announcePause: AnnouncePause
}

/** Announces a pause by the service, once. */
export async function announcePause(
  deps: Pick<RunEndDeps, 'monitors' | 'announcePause'>,
  { _id: monitor_id, user_id, name, pause_reason: reason = '', paused, paused_at, pause_announced }: MonitorDocument,
): Promise<void> {
  if (!paused || !paused_at || pause_announced) return
  await deps.announcePause({ monitor_id, user_id, name, reason, paused_at })
  await deps.monitors.pauseAnnounced(monitor_id, paused_at)
}

/** Runs that may fail one after the other before their monitor is paused. */
const MAX_FAILURES = 3

/**
 * Records the end of a monitor's job, and so of its run, with the changes that it found. Pauses the monitor after three
 * failures in a row. Safe to repeat. A run that cannot be compared ends nevertheless, and is compared later. Stops when
 * the signal aborts.
 */
export async function recordRunEnd(deps: RunEndDeps, job: JobDocument, signal?: AbortSignal): Promise<void> {
  const { monitor, status, _id: job_id, user_id, failure_reason: reason } = job
  if (!monitor || (status !== 'completed' && status !== 'failed' && status !== 'cancelled')) return
  const { id: monitor_id, at, began_at } = monitor
  if (!(await deps.monitors.findAny(monitor_id))) return
  const run = { monitor_id, user_id, at, began_at, state: status, job_id, reason }
  const isCompared = await couldCompare(deps, run, recordChanges(deps.db, { ...job, monitor }, signal), signal)
  await endRun(deps, run, { places: job.totals.places, cost: job.total_cost ?? 0, isCompared })
}

/** Waits for the comparison of a run. Returns false after a failure: statistics must keep neither the job nor the run. */
async function couldCompare(
  { log }: RunEndDeps,
  { monitor_id, at, job_id }: Pick<RunEnd, 'monitor_id' | 'at' | 'job_id'>,
  comparing: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await comparing
    return true
  } catch (error) {
    if (signal?.aborted) throw error
    log.error({ err: error, monitor_id, at, job_id }, 'a run of a monitor was not compared; it is tried again later')
    return false
  }
}

/** Stores how a run ended, then does what follows from it. */
async function endRun(
  deps: RunEndDeps,
  run: Omit<RunEnd, 'figures'> & { began_at: Date },
  { isCompared, ...figures }: { places: number; cost: MicroCredits; isCompared: boolean },
): Promise<void> {
  const { db, monitors, runs } = deps
  const { monitor_id, began_at, state, reason = '' } = run
  await runs.end({ ...run, figures: { ...figures, ...(await countChanges(db, monitor_id, began_at)) } }, isCompared)
  if (state === 'completed' || state === 'failed') {
    const limit = { most: MAX_FAILURES, reason: `failures: ${MAX_FAILURES} runs failed. ${reason}` }
    await monitors.countEnd(monitor_id, began_at, state === 'failed', limit)
  }
  const monitor = await monitors.findAny(monitor_id)
  if (monitor) await announcePause(deps, monitor)
}
