import type { ChangeStore } from './changes/store.ts'
import type { SeriesStore } from './series/store.ts'
import type { MonitorStore } from './store.ts'

/**
 * Removes the runs and changes of all monitors that are older than this many days. What a monitor knows of its places
 * stays. Several coordinators may run it at once.
 */
export async function removeOldRecords(
  { monitors, changes, series }: { monitors: MonitorStore; changes: ChangeStore; series: SeriesStore },
  days: number,
): Promise<void> {
  for (const monitor_id of await monitors.ids()) {
    await monitors.removeOldRuns(monitor_id, days)
    await changes.removeOld(monitor_id, days)
    await series.removeOld(monitor_id, days)
  }
}
