import type { FailureCode, Outcome, OutcomeCounts } from '@placefleet/shared/outcome'
import type { MapFailed, MapFault } from '../maps/session/fault.ts'

/** A task that cannot go on; `code` and the text go to the client. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** None where the site was not asked. */
const OUTCOME: Record<MapFault, Outcome | undefined> = {
  blocked: 'blocked',
  consent: 'consent',
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
  consent: { code: 'blocked', message: 'the map site stays behind its consent form' },
  not_found: { code: 'layout_changed', message: 'the map site knows no such page' },
  unavailable: { code: 'source_unavailable', message: 'the map site answers with errors' },
  network: { code: 'source_unavailable', message: 'the map site cannot be reached' },
  timeout: { code: 'source_unavailable', message: 'the map site does not answer in time' },
  proxy: { code: 'proxies_failed', message: 'none of the proxies works' },
  broken: { code: 'source_unavailable', message: 'the map site sends what cannot be read' },
  layout: { code: 'layout_changed', message: 'the map site answers in a form that is not known' },
  browser: { code: 'agent_crashed', message: 'the agent cannot start Chromium; its log says why' },
}

/** Counts what a page that gave nothing ended as. */
export function countFault(outcomes: OutcomeCounts, { fault }: MapFailed): void {
  const outcome = OUTCOME[fault]
  if (outcome) outcomes[outcome]++
}

/** The failure of a task whose question met this fault. */
export function taskFailure(failure: MapFailed): TaskFailed {
  const { code, message } = FAILURE[failure.fault]
  return new TaskFailed(code, message, failure)
}

/** Faults that the next place of the same task would meet as well. */
export function affectsWholeTask({ fault }: MapFailed): boolean {
  return fault === 'blocked' || fault === 'consent' || fault === 'proxy' || fault === 'browser'
}
