import { canFail } from '@placefleet/shared/log'
import type { Held } from '../mongo/due-work.ts'
import type { MonitorDeps } from './create-run.ts'
import type { MonitorDocument, RunDocument } from './documents.ts'
import { removeMonitor } from './removal.ts'
import { announcePause } from './run-end.ts'
import { dueNow } from './schedule.ts'
import { beginRun, MISSED, OVERLAP, startRun } from './start-run.ts'
import { nextDue, timingOf } from './store.ts'

/** Runs, and monitors, that one sweep looks at, at most. The next sweep takes the others. */
const BATCH = 1_000

/** When a coordinator looks again whether the run that is in the way has begun. */
const WAIT_MS = 5_000

/** How long the comparison of an ended run is tried again. Until then its job keeps what it needs. */
const COMPARE_WITHIN_MS = 24 * 3_600_000

/**
 * Continues the due runs, then begins the runs of all monitors that are due. Coordinators share them: each takes one at a
 * time.
 */
export async function sweepMonitors(deps: MonitorDeps, signal: AbortSignal): Promise<void> {
  for (let left = BATCH; left > 0 && !signal.aborted; left--) {
    const run = await deps.runs.takeDue()
    if (!run) break
    await canFail(deps.log, `continuing the run ${run._id}`, continueRun(deps, run))
  }
  for (let left = BATCH; left > 0 && !signal.aborted; left--) {
    const monitor = await deps.monitors.takeDue()
    if (!monitor) return
    await canFail(deps.log, `evaluating the monitor ${monitor._id}`, evaluate(deps, monitor))
  }
}

/** Continues a held run where it is: its job must be created, or it has ended and is not compared. */
async function continueRun(deps: MonitorDeps, run: Held<RunDocument>): Promise<void> {
  const monitor = await deps.monitors.findAny(run.monitor_id)
  if (!monitor) return deps.runs.remove([run._id])
  if (run.state === 'due') await startRun(deps, monitor, run, run.lease.at)
  else await compareAgain(deps, run, run.lease.at)
}

/** Compares a run that ended without a comparison. Gives up after a day, and when its job is gone. */
async function compareAgain(
  { jobs, runs, recordRunEnd, log }: Pick<MonitorDeps, 'jobs' | 'runs' | 'recordRunEnd' | 'log'>,
  run: RunDocument,
  now: Date,
): Promise<void> {
  const { monitor_id, at, job_id, ended_at = at } = run
  const isLate = now.getTime() - ended_at.getTime() > COMPARE_WITHIN_MS
  const job = isLate || job_id === undefined ? undefined : await jobs.find(job_id)
  if (job) return recordRunEnd(job)
  log.warn({ monitor_id, at, job_id }, 'the comparison of a run was given up')
  await runs.end(run)
}

/**
 * Evaluates a held monitor. First each due occurrence gets a run, then one write says until when all are decided. After
 * a crash between the two, the next look finds the runs that exist.
 */
async function evaluate(deps: MonitorDeps, monitor: Held<MonitorDocument>): Promise<void> {
  const { monitors, runs } = deps
  if (monitor.deleted_at) return void (await removeMonitor(deps, monitor._id))
  if (monitor.paused) {
    await announcePause(deps, monitor)
    return monitors.waitUntil(monitor, undefined)
  }
  const now = monitor.lease.at
  const due = dueNow(timingOf(monitor), monitor.watermark, now)
  if (!due) return monitors.waitUntil(monitor, nextDue(monitor))
  await runs.skip(monitor, due.missed, MISSED)
  const begun = due.run && (await beginRun(deps, monitor, due.run, now))
  if (due.run && begun?.outcome === 'overlaps') {
    if (begun.other.state === 'due') return monitors.waitUntil(monitor, new Date(now.getTime() + WAIT_MS))
    await runs.skip(monitor, [due.run], OVERLAP)
  }
  const decided = { ...monitor, watermark: due.watermark }
  await monitors.waitUntil(decided, nextDue(decided))
  if (begun?.outcome === 'started') await continueRun(deps, begun.run)
}
