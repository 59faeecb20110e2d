import { reasonOf } from '@placefleet/shared/command-line'
import type { Logger } from '@placefleet/shared/log'
import { type ChromiumProblem, chromiumFailureIn, diagnose } from './chromium-problem.ts'
import { findChromium, installedVersion } from './find-chromium.ts'
import { launchChromium, type RunningChromium } from './launch.ts'
import { systemFacts } from './system-facts.ts'
import { within } from './within.ts'

/** The result of a trial start: the version of Chromium, or why it does not start. */
type ChromiumCheck =
  | { readonly version: string; readonly problem?: undefined }
  | { readonly version?: undefined; readonly problem: ChromiumProblem }

/** A page takes milliseconds. Under a filter that kills its process it never answers. */
const PAGE_MS = 15_000

/** A proxy that nothing listens on: the trial start sends no request. */
const NO_PROXY = 'http://127.0.0.1:9'

/**
 * Starts Chromium as an agent does (same program, sandbox, environment and arguments), opens a page, and ends it.
 * @param find returns the program, so that a caller who knows it need not search again.
 */
export async function checkChromium(sandbox: boolean, log: Logger, find = findChromium): Promise<ChromiumCheck> {
  let running: RunningChromium | undefined
  try {
    const version = await installedVersion()
    running = await launchChromium({ find, installedVersion: version, proxyServer: NO_PROXY, sandbox, log })
    await within(running.browser.newPage(), PAGE_MS)
    return { version: running.browser.version() }
  } catch (error) {
    // A page that fails is diagnosed like a start.
    return { problem: chromiumFailureIn(error)?.problem ?? diagnose(reasonOf(error), await systemFacts()) }
  } finally {
    await running?.end()
  }
}
