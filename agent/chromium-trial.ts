import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ChromiumCause, type ReportedChromiumProblem } from '@placefleet/shared/chromium-problem'
import type { Environment } from '@placefleet/shared/config'
import { z } from 'zod'
import { type ChromiumProblem, problemForOperator } from './browser/chromium-problem.ts'

const DOCTOR = join(import.meta.dirname, 'doctor', 'chromium.ts')

/** A first start unpacks Chromium, and waits up to 30 s for it. */
const WITHIN_MS = 90_000

const Report = z.object({
  problem: z
    .object({ cause: ChromiumCause, message: z.string(), remedy: z.string(), output: z.string().optional() })
    .optional(),
})

/**
 * Starts Chromium once, and returns why that failed. Uses the program of `npm run doctor:chromium` in a process of its
 * own, because an agent on plain HTTP need not keep the 60 MB of Playwright.
 * @throws Error when that process prints no report.
 */
export async function tryChromium(
  env: Environment,
  signal?: AbortSignal,
): Promise<ReportedChromiumProblem | undefined> {
  const options = { env: { ...env, LOG_LEVEL: 'fatal' }, timeout: WITHIN_MS, ...(signal && { signal }) }
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [DOCTOR, '--json'], options, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('the check of Chromium printed nothing'))
      else resolve(stdout)
    })
  })
  const { problem } = Report.parse(JSON.parse(printed))
  return problem && reported(problem)
}

/**
 * Starts Chromium once, for an agent with COLLECT_RUNG=browser.
 * @throws Error that says what mends it when Chromium does not start.
 */
export async function requireChromium(env: Environment, signal?: AbortSignal): Promise<void> {
  const problem = await tryChromium(env, signal)
  if (problem) throw new Error(`With COLLECT_RUNG=browser an agent can do nothing without Chromium. ${problem.message}`)
}

export const reported = (problem: ChromiumProblem): ReportedChromiumProblem => ({
  cause: problem.cause,
  message: problemForOperator(problem).join(' '),
})
