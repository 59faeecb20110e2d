import type { ChangeStore } from './changes/store.ts'
import type { MonitorStore } from './store.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Removes the runs and changes of all monitors that are older than this many days. What a monitor knows of its places
 * stays. Several coordinators may run it at once.
 */
export async function removeOldRecords(
  { monitors, changes }: { monitors: MonitorStore; changes: ChangeStore },
  days: number,
): Promise<void> {
  const before = new Date(Date.now() - days * DAY_MS)
  for (const monitor_id of await monitors.ids()) {
    await monitors.removeRunsBefore(monitor_id, before)
    await changes.removeBefore(monitor_id, before)
  }
}
