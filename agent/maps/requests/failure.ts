import type { Rest } from '@placefleet/shared/exits/rules'
import { backoffMs, delay } from '@placefleet/shared/timing'
import { BrowserFailed } from '../../browser/within.ts'
import { FetchFailed } from '../../egress/failure.ts'
import { type Answer, type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import type { ClientMemory, RequestVia } from './client-memory.ts'
import { ExitRests } from './turns.ts'
import { type AnswerVerdict, type Fault, VERDICTS } from './verdicts.ts'

type FaultDetails = {
  /** The Retry-After of a refusal. */
  readonly retryAfterMs?: number | undefined
  /** The front page itself was refused. */
  readonly onArrival?: boolean
  /** All exits of the task rest until that time (`monotonicNow`). */
  readonly until?: number | undefined
  /** As many exits were refused as a question may cost, so the question may be the reason. */
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
export type SiteAnswer = Answer & { readonly kind: AnswerKind; readonly retryAfterMs: number | undefined }

export const siteAnswer = (answer: Answer, retryAfterHeader: string | undefined): SiteAnswer => ({
  ...answer,
  kind: classifyAnswer(answer),
  retryAfterMs: retryAfter(retryAfterHeader),
})

/**
 * Returns the failure of an answer without the requested data.
 * @param asked `refusesExit`: whether a 403 without a captcha is a block of this exit, and not of this kind of request.
 * `scripts`: whether scripts ran. Where they did, the page for clients without scripts refuses the exit.
 */
export function failureOf(
  answer: SiteAnswer,
  { refusesExit, scripts }: { refusesExit: boolean; scripts: boolean },
): MapFailed {
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
  { rest, memory }: { readonly rest: () => Rest | undefined; readonly memory: ClientMemory },
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

export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const ms = /^\d+$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
