import type { Db } from 'mongodb'
import { removeChangesUntil, removeWatch } from './changes/store.ts'
import type { MonitorDeps } from './create-run.ts'
import type { RunStore } from './run-store.ts'
import { isOver } from './start-run.ts'

/** Runs removed at once. */
const BATCH = 500

/**
 * Removes what a deleted monitor had, and the monitor itself last, so that any coordinator can finish it. While its run is
 * active nothing is removed, because the end of the run would write again. Safe to repeat.
 */
export async function removeMonitor(deps: MonitorDeps, monitor_id: string): Promise<void> {
  const { db, monitors, runs } = deps
  const active = await runs.active(monitor_id)
  if (active && !(await isOver(deps, active))) return // the lease ends in a minute
  await removeWatch(db, monitor_id)
  await runs.removeOf(monitor_id)
  await monitors.remove(monitor_id)
}

/**
 * Removes the runs that are older than this many days, each after its changes. It reads only old runs.
 * What a monitor knows of its places stays. Several coordinators may run it at once.
 */
export async function removeOldRecords({ db, runs }: { db: Db; runs: RunStore }, days: number): Promise<void> {
  for (;;) {
    const old = await runs.old(days, BATCH)
    if (old.length === 0) return
    const latest = new Map(old.map(({ monitor_id, at, began_at = at }) => [monitor_id, began_at])) // the oldest come first
    for (const [monitor_id, at] of latest) await removeChangesUntil(db, monitor_id, at)
    await runs.remove(old.map(({ _id }) => _id))
  }
}
