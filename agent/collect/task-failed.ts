import type { FailureCode, Outcome, OutcomeCounts } from '@placefleet/shared/outcome'
import { monotonicNow } from '@placefleet/shared/timing'
import { chromiumFailureIn } from '../browser/chromium-problem.ts'
import { isRefusal, type MapFailed, type MapFault } from '../maps/session/fault.ts'
import type { TaskContext } from './task.ts'

/** Thrown when a task cannot continue. The client sees `code` and the message. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
  readonly code: FailureCode
  /**
   * When the task may continue (`monotonicNow`). Until then the site refuses us, which is not a failure of the
   * task.
   */
  readonly until: number | undefined

  constructor(code: FailureCode, message: string, cause?: unknown, until?: number) {
    super(message, { cause })
    this.code = code
    this.until = until
  }
}

/** The outcome that a fault is counted as. Undefined when no request was sent. */
const OUTCOME: Record<MapFault, Outcome | undefined> = {
  blocked: 'blocked',
  consent: 'consent',
  forbidden: 'blocked',
  not_found: 'broken',
  unavailable: 'broken',
  network: 'timeout',
  timeout: 'timeout',
  proxy: 'timeout',
  broken: 'broken',
  layout: 'broken',
  browser: undefined,
}

const FAILURE: Record<MapFault, { code: FailureCode; message: string }> = {
  blocked: { code: 'blocked', message: 'the map site refuses to answer' },
  consent: { code: 'blocked', message: 'the map site shows only its consent form' },
  forbidden: { code: 'blocked', message: 'the map site does not allow such requests' },
  not_found: { code: 'layout_changed', message: 'the map site does not know the requested page' },
  unavailable: { code: 'source_unavailable', message: 'the map site responds with errors' },
  network: { code: 'source_unavailable', message: 'the map site cannot be reached; its agent may have no network' },
  timeout: { code: 'source_unavailable', message: 'the map site does not answer in time' },
  proxy: { code: 'proxies_failed', message: 'none of the proxies works' },
  broken: { code: 'source_unavailable', message: 'the map site sends unreadable answers' },
  layout: { code: 'layout_changed', message: 'the map site answers in an unknown format' },
  browser: { code: 'chromium_unavailable', message: 'an agent cannot start Chromium; its log says why' },
}

/** Counts a request without a usable answer. */
export function countFault(outcomes: OutcomeCounts, { fault }: MapFailed): void {
  const outcome = OUTCOME[fault]
  if (outcome) outcomes[outcome]++
}

/** Counts a place that the site cut short. Without a Chromium that starts, the agent could not ask for the rest. */
export function countLimited(task: Pick<TaskContext, 'outcomes' | 'chromiumStarts' | 'limited_reason'>): void {
  task.outcomes.limited++
  if (!task.chromiumStarts()) task.limited_reason = 'chromium_unavailable'
}

/** The delay before a refused task continues on another exit. */
const OTHER_EXIT_MS = 1_000

/** Returns the failure of a task for a fault. A refusal only postpones the task. */
export function taskFailure(failure: MapFailed): TaskFailed {
  const { code, message } = FAILURE[failure.fault]
  const chromium = chromiumFailureIn(failure)
  const until = isRefusal(failure.fault) ? (failure.details.until ?? monotonicNow() + OTHER_EXIT_MS) : undefined
  return new TaskFailed(code, chromium?.message ?? message, failure, until)
}

/** Returns whether the next place of the same task would fail in the same way. */
export function affectsWholeTask(failure: MapFailed): boolean {
  const { fault, details } = failure
  return (isRefusal(fault) && details.until !== undefined) || fault === 'proxy' || fault === 'browser'
}
