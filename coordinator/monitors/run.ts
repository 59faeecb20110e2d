import { findJob } from '../jobs/store.ts'
import type { Held } from '../mongo/due-work.ts'
import { createDueWorkers } from '../mongo/due-workers.ts'
import type { MonitorDeps } from './create-run.ts'
import { LOOK_MS, type MonitorDocument, type RunDocument } from './documents.ts'
import { removeMonitor } from './removal.ts'
import { announcePause } from './run-end.ts'
import { dueOccurrences } from './schedule.ts'
import { beginRun, MISSED, OVERLAP, startRun } from './start-run.ts'
import { nextDue, timingOf } from './store.ts'

/** How many runs, and how many monitors, one coordinator works on at the same time. */
const AT_ONCE = 4

/** When a coordinator looks again whether the run that is in the way has begun. */
const WAIT_MS = 5_000

/** How long the comparison of an ended run is tried again. Until then its job keeps what it needs. */
const COMPARE_WITHIN_MS = 24 * 3_600_000

/** Creates the workers that continue the due runs, and those that begin the runs of all monitors that are due. */
export function createMonitorWorkers(deps: MonitorDeps) {
  const common = { log: deps.log, atOnce: AT_ONCE, renewMs: LOOK_MS / 3 }
  return {
    runs: createDueWorkers<RunDocument>({
      ...common,
      name: 'a run of a monitor',
      queue: deps.runs.queue,
      work: (run, signal) => continueRun(deps, run, signal),
    }),
    monitors: createDueWorkers<MonitorDocument>({
      ...common,
      name: 'a monitor',
      queue: deps.monitors.queue,
      work: (monitor, signal) => evaluate(deps, monitor, signal),
    }),
  }
}

/** Continues a held run where it is: its job must be created, or it has ended and is not compared. */
async function continueRun(deps: MonitorDeps, run: Held<RunDocument>, signal: AbortSignal): Promise<void> {
  const monitor = await deps.monitors.findAny(run.monitor_id)
  if (!monitor) return deps.runs.remove([run._id])
  if (run.state === 'due') await startRun(deps, monitor, run, run.lease.at)
  else await compareAgain(deps, run, signal)
}

/** Compares a run that ended without a comparison. Gives up after a day, and when its job is gone. */
async function compareAgain(
  { db, runs, recordRunEnd, log }: Pick<MonitorDeps, 'db' | 'runs' | 'recordRunEnd' | 'log'>,
  run: Held<RunDocument>,
  signal: AbortSignal,
): Promise<void> {
  const { monitor_id, at, job_id, ended_at = at } = run
  const isLate = run.lease.at.getTime() - ended_at.getTime() > COMPARE_WITHIN_MS
  const job = isLate || job_id === undefined ? undefined : await findJob(db, job_id)
  if (job) return recordRunEnd(job, signal)
  log.warn({ monitor_id, at, job_id }, 'the comparison of a run was given up')
  await runs.end(run)
}

/**
 * Evaluates a held monitor. First each due occurrence gets a run, then one write says until when all are decided. After
 * a crash between the two, the next look finds the runs that exist.
 */
async function evaluate(deps: MonitorDeps, monitor: Held<MonitorDocument>, signal: AbortSignal): Promise<void> {
  const { monitors, runs } = deps
  if (monitor.deleted_at) return void (await removeMonitor(deps, monitor._id))
  if (monitor.paused) {
    await announcePause(deps, monitor)
    return monitors.waitUntil(monitor, undefined)
  }
  const now = monitor.lease.at
  const due = dueOccurrences(timingOf(monitor), monitor.watermark, now)
  if (!due) return monitors.waitUntil(monitor, nextDue(monitor))
  await runs.skip(monitor, due.missed, MISSED)
  const begun = due.run && (await beginRun(deps, monitor, due.run, now))
  if (due.run && begun?.outcome === 'overlaps') {
    if (begun.other.state === 'due') return monitors.waitUntil(monitor, new Date(now.getTime() + WAIT_MS))
    await runs.skip(monitor, [due.run], OVERLAP)
  }
  const decided = { ...monitor, watermark: due.watermark }
  await monitors.waitUntil(decided, nextDue(decided))
  if (begun?.outcome === 'started') await continueRun(deps, begun.run, signal)
}
