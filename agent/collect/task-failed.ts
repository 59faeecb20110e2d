import type { FailureCode, OutcomeCounts } from '@placefleet/shared/outcome'
import { monotonicNow } from '@placefleet/shared/timing'
import { chromiumFailureIn } from '../browser/chromium-problem.ts'
import type { MapFailed } from '../maps/requests/failure.ts'
import { type Fault, VERDICTS } from '../maps/requests/verdicts.ts'
import type { TaskContext } from './task.ts'

/** Thrown when a task cannot continue. The client sees `code` and the message. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
  readonly code: FailureCode
  /** When the task may continue (`monotonicNow`). Until then the site refuses us. */
  readonly until: number | undefined

  constructor(code: FailureCode, message: string, cause?: unknown, until?: number) {
    super(message, { cause })
    this.code = code
    this.until = until
  }
}

/** How a task that ends with a fault is reported to its client. */
const FAILURE: Record<Fault, { readonly code: FailureCode; readonly message: string }> = {
  exit_refused: { code: 'blocked', message: 'the map site refuses to answer' },
  consent: { code: 'blocked', message: 'the map site shows only its consent form' },
  needs_scripts: { code: 'blocked', message: 'the map site answers only browsers, and this agent may not use one' },
  request_refused: { code: 'blocked', message: 'the map site does not allow such requests' },
  not_found: { code: 'layout_changed', message: 'the map site does not know the requested page' },
  unavailable: { code: 'source_unavailable', message: 'the map site responds with errors' },
  network: { code: 'source_unavailable', message: 'the map site cannot be reached; its agent may have no network' },
  timeout: { code: 'source_unavailable', message: 'the map site does not answer in time' },
  proxy_failed: { code: 'proxies_failed', message: 'none of the proxies works' },
  unknown: { code: 'source_unavailable', message: 'the map site sends answers that nobody knows' },
  layout: { code: 'layout_changed', message: 'the map site answers in an unknown format' },
  agent_failed: { code: 'chromium_unavailable', message: 'an agent cannot start Chromium; its log says why' },
}

export function countFault(outcomes: OutcomeCounts, { fault }: MapFailed): void {
  const { outcome } = VERDICTS[fault]
  if (outcome) outcomes[outcome]++
}

/** Counts a place that the site cut short. Without a Chromium that starts, the agent could not ask for the rest. */
export function countLimited(task: Pick<TaskContext, 'outcomes' | 'chromiumStarts' | 'limited_reason'>): void {
  task.outcomes.limited++
  if (!task.chromiumStarts()) task.limited_reason = 'chromium_unavailable'
}

/** The delay before a refused task continues on another exit. */
const OTHER_EXIT_MS = 1_000
/** The delay before a task without a browser continues here. An agent with one may continue it at once. */
const WITHOUT_BROWSER_MS = 1_800_000

/** Returns the failure of a task for a fault. One after which the task waits only postpones it. */
export function taskFailure(failure: MapFailed): TaskFailed {
  const { fault, details } = failure
  const { code, message } = FAILURE[fault]
  const chromium = chromiumFailureIn(failure)
  const againMs = fault === 'needs_scripts' ? WITHOUT_BROWSER_MS : OTHER_EXIT_MS
  const until = details.until ?? (VERDICTS[fault].task === 'waits' ? monotonicNow() + againMs : undefined)
  return new TaskFailed(code, chromium?.message ?? message, failure, until)
}

/** Returns whether the next place of the same task would fail in the same way. */
export function affectsWholeTask({ fault, details }: MapFailed): boolean {
  return details.until !== undefined || VERDICTS[fault].task === 'ends'
}
