import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ChromiumCause, type ReportedChromiumProblem } from '@placefleet/shared/chromium-problem'
import type { Environment } from '@placefleet/shared/config'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { z } from 'zod'
import { type ChromiumProblem, problemForOperator } from './browser/chromium-problem.ts'
import type { AgentConfig } from './config.ts'

/** Whether Chromium starts on the machine of this agent, as its last start showed. */
export type ChromiumState = {
  /** Why the last start failed. Undefined while Chromium starts, and for an agent that never needs it. */
  problem(): ReportedChromiumProblem | undefined
  /** Records a start, with its problem if it failed. */
  record(problem: ChromiumProblem | undefined): void
}

/**
 * Tries Chromium in the background, unless the agent never needs it, and says on the terminal when it does not start.
 * An agent that only uses Chromium waits for the result. Calls `onChange` when the problem changes.
 * @throws Error that says what mends it, for an agent that only uses Chromium.
 */
export async function watchChromium(
  { COLLECT_RUNG: rung }: Pick<AgentConfig, 'COLLECT_RUNG'>,
  { log, life, onChange }: { log: Logger; life: Lifecycle; onChange: () => void },
): Promise<ChromiumState> {
  let problem: ReportedChromiumProblem | undefined
  const state: ChromiumState = {
    problem: () => problem,
    record(latest) {
      const before = problem?.message
      problem = latest && { cause: latest.cause, message: problemForOperator(latest) }
      if (problem?.message !== before) onChange()
    },
  }
  const { signal } = life.own('check of Chromium', new AbortController(), (controller) => controller.abort())
  if (rung === 'browser') await requireChromium(process.env, signal)
  if (rung !== 'auto') return state
  const trying = tryChromium(process.env, signal).then((latest) => {
    if (!latest || signal.aborted) return
    state.record(latest)
    console.error(`Without Chromium the agent uses plain HTTP only. ${problemForOperator(latest)}`)
  })
  trying.catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'checking Chromium failed')
  })
  return state
}

const DOCTOR = join(import.meta.dirname, 'doctor', 'chromium.ts')

/** A first start unpacks Chromium, and waits up to 30 s for it. */
const WITHIN_MS = 90_000

const Problem = z.object({
  cause: ChromiumCause,
  message: z.string(),
  remedy: z.string(),
  output: z.string().optional(),
})
const Report = z.object({ problem: Problem.optional() })

/**
 * Starts Chromium once, and returns why that failed. Uses the program of `npm run doctor:chromium` in a process of its
 * own, because an agent on plain HTTP need not keep the 60 MB of Playwright.
 * @throws Error when that process prints no report.
 */
async function tryChromium(env: Environment, signal?: AbortSignal): Promise<ChromiumProblem | undefined> {
  const options = { env: { ...env, LOG_LEVEL: 'fatal' }, timeout: WITHIN_MS, ...(signal && { signal }) }
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [DOCTOR, '--json'], options, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('the check of Chromium printed nothing'))
      else resolve(stdout)
    })
  })
  return Report.parse(JSON.parse(printed)).problem
}

/** @throws Error that says what mends a Chromium that does not start. */
export async function requireChromium(env: Environment, signal?: AbortSignal): Promise<void> {
  const problem = await tryChromium(env, signal)
  if (!problem) return
  const why = problemForOperator(problem)
  throw new Error(`With COLLECT_RUNG=browser an agent can do nothing without Chromium. ${why}`)
}
