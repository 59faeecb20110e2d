import { readStandaloneSettings } from '@placefleet/deploy/standalone/settings'
import { startStandalone } from '@placefleet/deploy/standalone/start'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import { createLogger } from '@placefleet/shared/log'
import { AMPLE, dataDirectory } from './api/backend.ts'

/**
 * Starts the product in this process, as `npm start` runs it, with limits that nobody reaches. The lifecycle closes it.
 */
export function startProduct(life: Lifecycle, mapsBaseUrl: string, settings: Record<string, string>) {
  const env = {
    ...process.env,
    DATA_DIR: dataDirectory(life),
    PORT: '0',
    GRPC_PORT: '0',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    CHROMIUM_SANDBOX: 'off',
    COLLECT_RUNG: 'http',
    RATE_FREE: AMPLE,
    RATE_JOB_CREATE: AMPLE,
    MAPS_BASE_URL: mapsBaseUrl,
    ...settings,
  }
  return startStandalone(readStandaloneSettings(env), createLogger('product', 'error'), life)
}
