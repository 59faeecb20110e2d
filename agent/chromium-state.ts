import type { ReportedChromiumProblem } from '@placefleet/shared/chromium-problem'
import type { Lifecycle } from '@placefleet/shared/lifecycle'
import type { Logger } from '@placefleet/shared/log'
import { requireChromium, tryChromium } from './chromium-trial.ts'
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
