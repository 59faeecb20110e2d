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
  record(problem: ReportedChromiumProblem | undefined): void
  /** Dispatches `change` when the problem changes. */
  readonly changes: EventTarget
}

function createChromiumState(): ChromiumState {
  const changes = new EventTarget()
  let current: ReportedChromiumProblem | undefined
  return {
    problem: () => current,
    record(problem) {
      const isNew = problem?.message !== current?.message
      current = problem
      if (isNew) changes.dispatchEvent(new Event('change'))
    },
    changes,
  }
}

/**
 * Tries Chromium in the background, unless the agent never needs it, and says on the terminal when it does not start.
 * An agent that only uses Chromium waits for the result.
 * @throws Error that says what mends it, for an agent that only uses Chromium.
 */
export async function watchChromium(config: AgentConfig, log: Logger, life: Lifecycle): Promise<ChromiumState> {
  const state = createChromiumState()
  if (config.COLLECT_RUNG === 'http') return state
  const ending = life.own('check of Chromium', new AbortController(), (controller) => controller.abort())
  if (config.COLLECT_RUNG === 'browser') {
    await requireChromium(process.env, ending.signal)
    return state
  }
  const trying = tryChromium(process.env, ending.signal).then((problem) => {
    if (!problem || ending.signal.aborted) return
    state.record(problem)
    console.error(`Without Chromium the agent uses plain HTTP only. ${problem.message}`)
  })
  trying.catch((error: unknown) => {
    if (!ending.signal.aborted) log.warn({ err: error }, 'checking Chromium failed')
  })
  return state
}

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
async function tryChromium(env: Environment, signal?: AbortSignal): Promise<ReportedChromiumProblem | undefined> {
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
