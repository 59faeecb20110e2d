import type { ChangeStore } from './changes/store.ts'
import type { RunStore } from './run-store.ts'

/** Runs removed at once. */
const BATCH = 500

/**
 * Removes the runs that are older than this many days, each after its changes. It reads only old runs.
 * What a monitor knows of its places stays. Several coordinators may run it at once.
 */
export async function removeOldRecords(
  { runs, changes }: { runs: RunStore; changes: ChangeStore },
  days: number,
): Promise<void> {
  for (;;) {
    const old = await runs.old(days, BATCH)
    if (old.length === 0) return
    const latest = new Map(old.map(({ monitor_id, at }) => [monitor_id, at])) // the oldest come first
    for (const [monitor_id, at] of latest) await changes.removeUntil(monitor_id, at)
    await runs.remove(old.map(({ _id }) => _id))
  }
}
