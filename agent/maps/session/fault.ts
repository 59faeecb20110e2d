import { backoffMs, delay } from '@placefleet/shared/timing'
import { BrowserFailed } from '../../browser/within.ts'
import { FetchFailed } from '../../egress/failure.ts'
import { type AnswerKind, addressInRefusal } from '../answers/classify.ts'
import { type ErrorClass, type Exit, ExitRests } from '../exits/exit.ts'
import type { Asker } from '../exits/lessons.ts'

/**
 * Why the map site returned nothing usable. - `blocked`: it refuses this exit, or the exit rests after a refusal -
 * `consent`: it shows only its consent form - `forbidden`: it refuses this kind of request, from any exit -
 * `not_found`: it does not know the page - `unavailable`: it responded with an error - `network`, `timeout`: no answer
 * came - `proxy`: the user's proxy failed - `broken`: the answer is not in a form that the site sends - `layout`: the
 * answer is a payload of an unknown layout - `browser`: Chromium cannot be started here, and the site was not asked
 */
export type MapFault =
  | 'blocked'
  | 'consent'
  | 'forbidden'
  | 'not_found'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'proxy'
  | 'broken'
  | 'layout'
  | 'browser'

/**
 * `retryAfterMs` and `address`: the Retry-After of a refusal and our address in it. `onArrival`: the front page itself
 * was refused. `until`: all exits of the task rest until that time (`monotonicNow`).
 */
export type FaultDetails = {
  readonly retryAfterMs?: number | undefined
  readonly address?: string | undefined
  readonly onArrival?: boolean
  readonly until?: number | undefined
}

/** Thrown when a request to the map site brings no usable answer. */
export class MapFailed extends Error {
  override readonly name = 'MapFailed'
  readonly fault: MapFault
  readonly details: FaultDetails

  constructor(fault: MapFault, cause?: unknown, details: FaultDetails = {}) {
    super(`the map site gave no usable answer: ${fault}`, { cause })
    this.fault = fault
    this.details = details
  }
}

/** Faults that may disappear on a retry. */
export const TRANSIENT: ReadonlySet<MapFault> = new Set<MapFault>(['unavailable', 'network', 'timeout', 'broken'])

const OF_KIND: Partial<Record<AnswerKind, MapFault>> = {
  blocked: 'blocked',
  consent: 'consent',
  refused: 'forbidden',
  not_found: 'not_found',
  bad_request: 'layout', // the same request would be answered the same way
}

/** An answer of the map site, over HTTP or in Chromium. */
export type Answered = {
  readonly kind: AnswerKind
  readonly status: number
  readonly text: string
  readonly retryAfterMs: number | undefined
}

/**
 * Returns the failure of an answer without the requested data.
 * @param refusesExit what a 403 without a captcha means. True: it refuses the exit, since the site answers such requests.
 * False: the site may refuse them to every exit, as it did with review lists.
 */
export function failureOf(answer: Answered, refusesExit: boolean): MapFailed {
  const fault = answer.kind === 'refused' && refusesExit ? 'blocked' : faultOf(answer)
  const details = { retryAfterMs: answer.retryAfterMs, address: addressInRefusal(answer.text) }
  return new MapFailed(fault, undefined, details)
}

/**
 * Returns the failure of an answer to a request for data, over HTTP or in Chromium. Undefined for data. A 403 refuses the
 * exit while the exit rests, because it belongs to the same block, and where the site answered such requests before.
 */
export function failureOfData(answer: Answered, by: Asker, url: URL, { rest, lessons }: Exit): MapFailed | undefined {
  if (answer.kind === 'payload') {
    lessons.servedData(by, url)
    return undefined
  }
  const isRefused = answer.kind === 'refused'
  return failureOf(answer, isRefused && (rest()?.reason === 'blocked' || lessons.refusesExit(by, url)))
}

function faultOf({ kind, status }: Answered): MapFault {
  if (status >= 590 && status <= 599) return 'proxy' // the egress proxy reports the user's proxy with these
  return OF_KIND[kind] ?? (status >= 500 ? 'unavailable' : 'broken')
}

const OF_FETCH = {
  refused: 'broken',
  timeout: 'timeout',
  network: 'network',
  proxy: 'proxy',
  redirects: 'broken',
  encoding: 'broken',
} as const

const OF_BROWSER = { timeout: 'timeout', crashed: 'broken', unavailable: 'browser' } as const

/** Playwright's errors have no codes. They begin with the call that failed. */
const PLAYWRIGHT_CALL = /^(?:page|locator|frame|response|browserContext|browser|cdpSession)\.\w+: /

/** Converts an error of a fetch or of Chromium to a MapFailed. Rethrows any other error. */
export function asMapFailed(error: unknown): MapFailed {
  if (error instanceof MapFailed) return error
  if (error instanceof ExitRests) return new MapFailed('blocked', error)
  if (error instanceof FetchFailed) return new MapFailed(OF_FETCH[error.fault], error)
  if (error instanceof BrowserFailed) return new MapFailed(OF_BROWSER[error.fault], error)
  if (error instanceof Error && error.name === 'TimeoutError') return new MapFailed('timeout', error)
  // Chromium's network errors. A failed tunnel is the proxy's fault: the guard's own refusal is a 403 instead.
  const netError = error instanceof Error ? /net::ERR_(\w+)/.exec(error.message)?.[1] : undefined
  if (netError !== undefined) return new MapFailed(/TUNNEL|PROXY/.test(netError) ? 'proxy' : 'network', error)
  // A page that navigates on its own breaks the running call.
  if (error instanceof Error && PLAYWRIGHT_CALL.test(error.message)) return new MapFailed('broken', error)
  throw error
}

/** Returns whether the site refused the exit, so that the request can be sent again later. */
export const isRefusal = (fault: MapFault) => fault === 'blocked' || fault === 'consent'

/** Returns whether the site refused the request itself: it was sent, and the front page was not refused before. */
export function isRefusedQuestion({ fault, details, cause }: MapFailed): boolean {
  return fault === 'blocked' && !details.onArrival && details.until === undefined && !(cause instanceof ExitRests)
}

/** Opens the front page, and marks its failure as one on arrival. */
export async function arriving<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = knownFault(error)
    throw failure ? new MapFailed(failure.fault, failure.cause, { ...failure.details, onArrival: true }) : error
  }
}

const CLASSES: Partial<Record<MapFault, ErrorClass['kind']>> = {
  blocked: 'refused',
  consent: 'consent',
  proxy: 'failed',
  network: 'failed',
  timeout: 'failed',
  forbidden: 'answered',
  not_found: 'answered',
  layout: 'answered',
  broken: 'answered',
}

/** Returns the class of a fault for its exit. */
export const classifyFault = (fault: MapFault): ErrorClass['kind'] | undefined => CLASSES[fault]

/**
 * Returns the class of a request's error for its exit. Undefined for other errors than those of the site or the exit.
 */
export function classifyError(error: unknown): ErrorClass | undefined {
  const failure = knownFault(error)
  const kind = failure && CLASSES[failure.fault]
  if (!failure || !kind || failure.cause instanceof ExitRests) return undefined
  return kind === 'refused' ? { kind, ...failure.details } : { kind }
}

function knownFault(error: unknown): MapFailed | undefined {
  try {
    return asMapFailed(error)
  } catch {
    return undefined // an abort, or a bug of ours
  }
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 3_000

/** The number of attempts of a request. `timeouts`: whether to retry timeouts too. */
export type RetryPolicy = { readonly tries: number; readonly timeouts: boolean }

/** Retries transient failures with backoff. Throws the last MapFailed or the abort reason. */
export async function withRetries<T>(
  { tries, timeouts }: RetryPolicy,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const failure = await work().then((value) => ({ value }), asMapFailed)
    if ('value' in failure) return failure.value
    signal.throwIfAborted()
    const passes = TRANSIENT.has(failure.fault) && (timeouts || failure.fault !== 'timeout')
    if (attempt >= tries || !passes) throw failure
    await delay(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal)
    signal.throwIfAborted()
  }
}

/** Returns the milliseconds of a Retry-After header in seconds or as a date. Undefined without a usable value. */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  const ms = /^\d+$/.test(header ?? '') ? Number(header) * 1_000 : Date.parse(header ?? '') - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}
