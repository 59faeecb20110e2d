import type { MonitorDeps } from './create-run.ts'
import { isOver } from './start-run.ts'

/**
 * Removes what a deleted monitor had, and the monitor itself last, so that any coordinator can finish it. While its run is
 * active nothing is removed, because the end of the run would write again. Safe to repeat.
 */
export async function removeMonitor(deps: MonitorDeps, monitor_id: string): Promise<void> {
  const { monitors, runs, changes } = deps
  const active = await runs.active(monitor_id)
  if (active && !(await isOver(deps, active))) return // the lease ends in a minute
  await changes.remove(monitor_id)
  await runs.removeOf(monitor_id)
  await monitors.remove(monitor_id)
}
