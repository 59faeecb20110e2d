import { backoffMs, delay } from '@placefleet/shared/timing'
import { BrowserFailed } from '../../browser/within.ts'
import { FetchFailed } from '../../egress/failure.ts'
import type { AnswerKind } from '../answers/classify.ts'
import type { RequestVia } from './client-memory.ts'
import type { Exit } from './exit.ts'
import { type AnswerVerdict, ExitRests } from './turns.ts'
import { type Fault, VERDICTS } from './verdicts.ts'

/**
 * `retryAfterMs`: the Retry-After of a refusal. `onArrival`: the front page itself was refused. `until`: all exits of
 * the task rest until that time (`monotonicNow`). `everywhere`: as many exits were refused as a question may cost, so
 * the question may be the reason.
 */
type FaultDetails = {
  readonly retryAfterMs?: number | undefined
  readonly onArrival?: boolean
  readonly until?: number | undefined
  readonly everywhere?: boolean
}

/** Thrown when a request to the map site brings no usable answer. */
export class MapFailed extends Error {
  override readonly name = 'MapFailed'
  readonly fault: Fault
  readonly details: FaultDetails

  constructor(fault: Fault, cause?: unknown, details: FaultDetails = {}) {
    super(`the map site gave no usable answer: ${fault}`, { cause })
    this.fault = fault
    this.details = details
  }
}

const OF_KIND: Partial<Record<AnswerKind, Fault>> = {
  blocked: 'exit_refused',
  needs_scripts: 'needs_scripts',
  consent: 'consent',
  refused: 'request_refused',
  not_found: 'not_found',
  bad_request: 'layout', // the same request would be answered the same way
}

/** An answer of the map site, over HTTP or in Chromium. */
export type SiteAnswer = {
  readonly kind: AnswerKind
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | undefined
}

/** What some answers mean depends on who asked. */
type AskedAs = {
  /**
   * Whether a 403 without a captcha counts as a block of this exit. Otherwise the site refuses this kind of request.
   */
  readonly refusesExit: boolean
  /** Whether scripts ran. Where they did, the page for clients without scripts refuses the exit. */
  readonly scripts: boolean
}

/** Returns the failure of an answer without the requested data. */
export function failureOf(answer: SiteAnswer, { refusesExit, scripts }: AskedAs): MapFailed {
  const { kind } = answer
  const isOfExit = (kind === 'refused' && refusesExit) || (kind === 'needs_scripts' && scripts)
  const details = { retryAfterMs: answer.retryAfterMs }
  return new MapFailed(isOfExit ? 'exit_refused' : faultOf(answer), undefined, details)
}

/**
 * Returns the failure of an answer to a request for data, over HTTP or in Chromium. Undefined for data. A 403 refuses
 * the exit while the exit rests, because it belongs to the same block, and where the site answered such requests
 * before.
 */
export function failureOfData(
  answer: SiteAnswer,
  by: RequestVia,
  url: URL,
  { rest, memory }: Exit,
): MapFailed | undefined {
  if (answer.kind === 'payload') {
    memory.servedData(by, url)
    return undefined
  }
  const isRefused = answer.kind === 'refused'
  const refusesExit = isRefused && (rest()?.reason === 'blocked' || memory.refusesExit(by, url))
  return failureOf(answer, { refusesExit, scripts: by !== 'http' })
}

function faultOf({ kind, status }: SiteAnswer): Fault {
  if (status >= 590 && status <= 599) return 'proxy_failed' // the egress proxy reports the user's proxy with these
  return OF_KIND[kind] ?? (status >= 500 ? 'unavailable' : 'unknown')
}

const OF_FETCH = {
  refused: 'unknown',
  timeout: 'timeout',
  network: 'network',
  proxy: 'proxy_failed',
  encoding: 'unknown',
} as const

const OF_BROWSER = { timeout: 'timeout', crashed: 'unknown', unavailable: 'agent_failed' } as const

/** Playwright's errors have no codes. They begin with the call that failed. */
const PLAYWRIGHT_CALL = /^(?:page|locator|frame|response|browserContext|browser|cdpSession)\.\w+: /

/** Converts an error of a fetch or of Chromium to a MapFailed. Rethrows any other error. */
export function asMapFailed(error: unknown): MapFailed {
  if (error instanceof MapFailed) return error
  if (error instanceof ExitRests) return new MapFailed('exit_refused', error)
  if (error instanceof FetchFailed) return new MapFailed(OF_FETCH[error.fault], error)
  if (error instanceof BrowserFailed) return new MapFailed(OF_BROWSER[error.fault], error)
  if (error instanceof Error && error.name === 'TimeoutError') return new MapFailed('timeout', error)
  // Chromium's network errors. A failed tunnel is the proxy's fault: the guard's own refusal is a 403 instead.
  const netError = error instanceof Error ? /net::ERR_(\w+)/.exec(error.message)?.[1] : undefined
  if (netError !== undefined) return new MapFailed(/TUNNEL|PROXY/.test(netError) ? 'proxy_failed' : 'network', error)
  // A page that navigates on its own breaks the running call.
  if (error instanceof Error && PLAYWRIGHT_CALL.test(error.message)) return new MapFailed('unknown', error)
  throw error
}

/** Returns whether the site refused the request itself: it was sent, and the front page was not refused before. */
export function isRefusedQuestion({ fault, details, cause }: MapFailed): boolean {
  return fault === 'exit_refused' && !details.onArrival && details.until === undefined && !(cause instanceof ExitRests)
}

/** Returns the verdict on the error of a request. Undefined for another error than one of the site or the exit. */
export function verdictIn(error: unknown): AnswerVerdict | undefined {
  try {
    const { fault, cause, details } = asMapFailed(error)
    return cause instanceof ExitRests ? undefined : { verdict: fault, retryAfterMs: details.retryAfterMs }
  } catch {
    return undefined // an abort, or a bug of ours
  }
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 3_000

/** The number of attempts of a request. `timeouts`: whether to retry timeouts too. */
export type RetryPolicy = { readonly tries: number; readonly timeouts: boolean }

/** Repeats a request with backoff while its verdict allows it. Throws the last MapFailed or the abort reason. */
export async function withRetries<T>(
  { tries, timeouts }: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const failure = await work().then((value) => ({ value }), asMapFailed)
    if ('value' in failure) return failure.value
    signal.throwIfAborted()
    const most = failure.fault === 'timeout' && !timeouts ? 1 : Math.min(tries, VERDICTS[failure.fault].tries)
    if (attempt >= most) throw failure
    await delay(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal)
    signal.throwIfAborted()
  }
}

/** Returns the milliseconds of a Retry-After header in seconds or as a date. Undefined without a usable value. */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const ms = /^\d+$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
