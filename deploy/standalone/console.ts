import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '@placefleet/coordinator/console/build'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'

const BUILD = join(import.meta.dirname, '..', '..', 'coordinator', 'console', 'build.ts')

/**
 * Builds the console if its sources changed since the last build (about 4 s). A process of its own does it, so that the memory
 * of the build is given back. Without a console everything else still works, so a failure is only logged.
 */
export async function ensureConsole(log: Logger): Promise<void> {
  if (await isBuilt()) return
  log.info('building the console')
  try {
    await promisify(execFile)(process.execPath, [BUILD])
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the console could not be built; the API works without it')
  }
}
