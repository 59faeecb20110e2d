import type { MonitorDeps } from '@placefleet/coordinator/monitors/create-run'
import { createMonitorWorkers } from '@placefleet/coordinator/monitors/run'

/**
 * Continues the due runs, then begins those of the due monitors, as the loops of a coordinator do, and waits for the
 * end.
 */
export async function sweepMonitors(deps: MonitorDeps): Promise<void> {
  const { runs, monitors } = createMonitorWorkers(deps)
  for (const workers of [runs, monitors]) {
    await workers.start()
    await workers.idle()
  }
}
