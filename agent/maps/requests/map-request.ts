import { monotonicNow } from '@placefleet/shared/timing'
import {
  type BrowserProfile,
  documentHeaders,
  fetchHeaders,
  formHeaders,
  PRIORITY,
} from '../../browser/browser-profile.ts'
import { type FetchAnswer, redirectOf } from '../../egress/http-client.ts'
import { parseBody } from '../answers/body.ts'
import { type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { rejectForm } from '../answers/consent.ts'
import { doorOf } from '../urls/door.ts'
import type { Locale } from '../urls/parameters.ts'
import type { HttpRequest } from './exchange.ts'
import type { Exit } from './exit.ts'
import {
  failureOf,
  failureOfData,
  MapFailed,
  type RetryPolicy,
  type SiteAnswer,
  siteAnswer,
  withRetries,
} from './failure.ts'
import { frontPageUrl, onArrival, openForCookies, type Visit } from './front-page.ts'
import type { SharedWork } from './shared-work.ts'
import type { Verdict } from './verdicts.ts'

// A request over plain HTTP, and everything that happens to it: the page for the cookies, the turn of the exit, the
// headers, redirects, the consent form, the verdict, and the next try.

export type HttpIdentity = {
  readonly exit: Exit
  readonly base: URL
  readonly locale: Locale
  readonly profile: () => BrowserProfile
  /** The page that gives the cookies, opened by `visitForCookies`. */
  readonly frontPage: SharedWork<Visit>
  /** Sends one request with the cookies of the identity, which its Chromium shares. Throws like `HttpClient.fetch`. */
  send(request: HttpRequest, signal: AbortSignal): Promise<FetchAnswer>
}

export type HttpSession = {
  readonly identity: HttpIdentity
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
}

export type MapAnswer = Pick<SiteAnswer, 'kind' | 'text' | 'url'>

export type Reading<T> = { readonly value: T; readonly verdict: Verdict }

type AnswerReader<T> = {
  /** The kinds of answers that `read` reads. Any other kind is a failure. */
  readonly kinds: readonly AnswerKind[]
  readonly read: (answer: MapAnswer) => Reading<T>
  /** Whether a redirect is followed; by default it is. Else it is read as a `page` without text, where it leads. */
  readonly mayFollow?: (to: URL) => boolean
}

/** More redirects lead nowhere. */
const MOST_REQUESTS = 6

/**
 * Requests a page or payload and reads it. The exit learns the verdict. The first request of an identity opens the
 * front page before, whose cookie makes answers complete, and rejects a consent form; without the cookie it continues.
 * Retries transient failures. Throws MapFailed or the abort reason.
 */
export function requestMap<T>(
  { identity, signal, retryPolicy }: HttpSession,
  url: URL,
  reader: AnswerReader<T>,
): Promise<T> {
  return withRetries(retryPolicy, signal, async () => {
    await visitFrontPage(identity, signal)
    return await requestOnce(identity, url, reader, signal)
  })
}

/** Requests a payload and reads it like `requestMap`. Retries one that is cut off or not JSON. */
export function requestPayload<T>(session: HttpSession, url: URL, read: (payload: unknown) => Reading<T>): Promise<T> {
  return requestMap(session, url, {
    kinds: ['payload'],
    read({ text }) {
      const payload = parseBody(text)
      if (payload === undefined) throw new MapFailed('unknown')
      return read(payload)
    },
  })
}

/** Opens the page for the cookies unless the identity has done so. Throws MapFailed where the site gives none. */
export async function openFrontPage({ identity, signal }: HttpSession): Promise<void> {
  const { failure } = await visitFrontPage(identity, signal)
  if (failure) throw failure
}

async function visitFrontPage({ frontPage }: HttpIdentity, signal: AbortSignal): Promise<Visit> {
  const visit = await frontPage.get(signal)
  if (monotonicNow() >= visit.until) frontPage.forget() // a later request tries again
  return visit
}

/** Any page of the site, whose content is not used. */
const PAGE: AnswerReader<void> = {
  kinds: ['page', 'feed', 'place', 'unmarked'],
  read: (answer) => ({ value: undefined, verdict: pageVerdict(answer) }),
}

export const visitForCookies = (identity: HttpIdentity, signal: AbortSignal): Promise<Visit> =>
  onArrival(openForCookies(identity, (url) => requestOnce(identity, url, PAGE, signal)))

/** Returns the verdict on a page. One without any mark of the site may be an unrecognised wall. */
export const pageVerdict = ({ kind }: Pick<MapAnswer, 'kind'>): Verdict => (kind === 'unmarked' ? 'unknown' : 'whole')

/**
 * Sends a request until its answer is neither a redirect nor a consent form. Each request that this takes has its own
 * turn of the exit. The answer is read in the last turn, because the exit learns the verdict before it sends again.
 */
async function requestOnce<T>(
  identity: HttpIdentity,
  url: URL,
  reader: AnswerReader<T>,
  signal: AbortSignal,
): Promise<T> {
  const request = { url, ...headersOf(identity, reader) }
  let next: HttpRequest = request
  let mayAnswerForm = true
  for (let sent = 0; sent < MOST_REQUESTS; sent++) {
    const send = async (): Promise<Reading<T> | HttpRequest> => {
      const answer = await identity.send(next, signal)
      if (next.method === 'POST') {
        mayAnswerForm = false
        return request
      }
      const target = redirectOf(answer)
      if (target && reader.mayFollow?.(target) === false)
        return reader.read({ kind: 'page', url: target.href, text: '' })
      const isToCaptcha = target && classifyAnswer({ url: target.href, status: answer.status, text: '' }) === 'blocked'
      if (target && !isToCaptcha) return { ...next, url: target }
      const page = classified(answer, target)
      if (page.kind === 'consent' && mayAnswerForm) return consentRequest(identity, page)
      return readAnswer(identity, url, reader, page)
    }
    const step = await identity.exit.request(
      signal,
      send,
      (result) => ('verdict' in result ? result.verdict : undefined),
      doorOf(url),
    )
    if ('verdict' in step) return step.value
    next = step
  }
  throw new MapFailed('unknown')
}

/** Returns the headers of a request for data, as a script of a page sends it, or for a page. */
function headersOf({ profile, base, locale }: HttpIdentity, { kinds }: Pick<AnswerReader<unknown>, 'kinds'>) {
  return kinds.includes('payload')
    ? { headers: fetchHeaders(profile(), locale.language, frontPageUrl({ base, locale })), priority: PRIORITY.data }
    : { headers: documentHeaders(profile(), locale.language), priority: PRIORITY.page }
}

/** Throws MapFailed for an answer that is cut off. `target`: where it redirects. */
function classified({ url, status, headers, body, truncated }: FetchAnswer, target: URL | undefined): SiteAnswer {
  if (truncated) throw new MapFailed('unknown')
  return siteAnswer({ url: target?.href ?? url, status, text: body.toString('utf8') }, headers['retry-after'])
}

/** Returns the request that rejects all cookies that may be rejected. Throws MapFailed without such a form. */
function consentRequest({ profile, locale }: HttpIdentity, answer: SiteAnswer): HttpRequest {
  const form = rejectForm(answer.text)
  const action = form && URL.parse(form.action, answer.url)
  if (!form || !action) throw new MapFailed('consent')
  const body = new URLSearchParams(form.fields).toString()
  const headers = formHeaders(profile(), locale.language, new URL(answer.url))
  return { url: action, method: 'POST', headers, priority: PRIORITY.page, body }
}

/** Reads an answer, and reports an unrecognised one. */
function readAnswer<T>({ exit }: HttpIdentity, url: URL, reader: AnswerReader<T>, answer: SiteAnswer): Reading<T> {
  try {
    const failure = failureOfAnswer(exit, url, reader, answer)
    if (failure) throw failure
    const result = reader.read(answer)
    if (result.verdict === 'unknown') exit.sawUnknown(answer)
    return result
  } catch (error) {
    if (error instanceof MapFailed && error.fault === 'unknown') exit.sawUnknown(answer)
    throw error
  }
}

function failureOfAnswer(
  exit: Exit,
  url: URL,
  { kinds }: AnswerReader<unknown>,
  answer: SiteAnswer,
): MapFailed | undefined {
  const isReadable = kinds.includes(answer.kind)
  if (kinds.includes('payload') && (answer.kind === 'payload' || !isReadable))
    return failureOfData(answer, 'http', url, exit)
  return isReadable ? undefined : failureOf(answer, { refusesExit: true, scripts: false })
}
