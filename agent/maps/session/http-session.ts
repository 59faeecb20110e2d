import { abortable, monotonicNow } from '@placefleet/shared/timing'
import type { CookieJar } from 'tough-cookie'
import { documentHeaders, fetchHeaders, formHeaders, profileOf } from '../../browser/browser-profile.ts'
import { type FetchAnswer, type FetchRequest, type HttpClient, redirectOf } from '../../egress/http-client.ts'
import { parseBody } from '../answers/body.ts'
import { type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { rejectForm } from '../answers/consent.ts'
import type { Verdict } from '../answers/verdicts.ts'
import type { Exit } from '../exits/exit.ts'
import { doorOf } from '../urls/door.ts'
import { frontPage, openForCookies } from './cookie-pages.ts'
import { httpExchange, type OnExchange } from './exchange.ts'
import { failureOf, failureOfData, MapFailed, onFrontPage, type RetryPolicy, retryAfter, withRetries } from './fault.ts'

/** A usable answer of the map site. */
export type MapAnswer = { readonly kind: AnswerKind; readonly url: string; readonly text: string }

/** What was read in a payload, and the verdict on it. */
export type Read<T> = { readonly value: T; readonly verdict: Verdict }

/** A session with the map site over plain HTTP, as one task uses it. */
export type HttpSession = {
  /**
   * Requests a page or payload of one of these kinds. The exit learns the verdict of `verdictOn` on it. Before the first request the session opens the front page, whose
   * cookie makes answers complete, and rejects a consent form. If no page gives the cookie, it continues without one.
   * Retries transient failures. With `isReplaceable` a 403 is the answer of this address alone, and never about the exit.
   * Throws MapFailed or the abort reason.
   */
  ask(
    url: URL,
    wanted: readonly AnswerKind[],
    verdictOn: (answer: MapAnswer) => Verdict,
    options?: { readonly isReplaceable?: boolean },
  ): Promise<MapAnswer>
  /** Requests a payload and reads it. Retries one that is cut off or not JSON. */
  askPayload<T>(url: URL, read: (payload: unknown) => Read<T>): Promise<T>
  /** Opens a page for the cookies unless the session has done so. Throws MapFailed where the site gives no page. */
  openFrontPage(): Promise<void>
}

/** An identity over plain HTTP. It outlives tasks. */
type HttpIdentity = {
  /** The session of one task. */
  forTask(signal: AbortSignal, retryPolicy: RetryPolicy): HttpSession
}

type HttpIdentitySettings = {
  readonly exit: Exit
  /** The cookies of the identity, also those of its Chromium. */
  readonly jar: CookieJar
  readonly client: () => HttpClient
  readonly base: URL
  readonly language: string
  /** The version of the Chromium that runs, or would run. */
  readonly chromiumVersion: () => string
  /** Called before each request. */
  readonly onRequest: () => void
  readonly onExchange?: OnExchange | undefined
}

const TIMEOUT_MS = 15_000
/** The most bytes of an answer: ten times the largest place page. */
const MAX_BYTES = 10_000_000
/** The content is not used, so any page of the site will do. */
const PAGE_KINDS: readonly AnswerKind[] = ['page', 'feed', 'place', 'unmarked']

/** Creates an identity that has not visited the site yet. */
export function createHttpIdentity(settings: HttpIdentitySettings): HttpIdentity {
  const state: State = {
    ...settings,
    headers: headersFor(settings),
  }
  const frontPageVisit = createSharedWork((signal) =>
    onFrontPage(() => openForCookies(settings, (url) => askOnce(state, url, PAGE_KINDS, signal, judged(pageVerdict)))),
  )
  const visitFrontPage = async (signal: AbortSignal) => {
    const visit = await frontPageVisit.get(signal)
    if (monotonicNow() >= visit.until) frontPageVisit.forget() // a later request tries again
    return visit
  }
  return {
    forTask(signal, retryPolicy) {
      const tried = <T>(work: () => Promise<T>) =>
        withRetries(retryPolicy, signal, async () => {
          await visitFrontPage(signal)
          return work()
        })
      return {
        ask: (url, wanted, verdictOn, { isReplaceable = false } = {}) =>
          tried(async () => (await askOnce(state, url, wanted, signal, judged(verdictOn), isReplaceable)).value),
        askPayload: (url, read) =>
          tried(async () => (await askOnce(state, url, ['payload'], signal, readAs(read))).value),
        async openFrontPage() {
          const { failure } = await visitFrontPage(signal)
          if (failure) throw failure
        },
      }
    },
  }
}

type Headers = Readonly<Record<string, string>>

type State = HttpIdentitySettings & {
  headers: (asData: boolean) => Headers
}
/** More redirects lead nowhere. */
const MOST_REQUESTS = 6

/**
 * Asks for a page or payload. Each request that this takes, also after a redirect and for the consent form, has its own turn
 * of the exit. `read` is part of the last turn, because the exit learns the verdict before it sends the next request.
 */
async function askOnce<T>(
  state: State,
  url: URL,
  wanted: readonly AnswerKind[],
  signal: AbortSignal,
  read: (answer: MapAnswer) => Read<T>,
  isReplaceable = false,
): Promise<Read<T>> {
  const wantedPage: HttpRequest = { url, asData: wanted.includes('payload'), isReplaceable }
  const request = get(state, wantedPage)
  let next: Sent = request
  let mayAnswerForm = true
  for (let sent = 0; sent < MOST_REQUESTS; sent++) {
    const judge = async (): Promise<Read<T> | Sent> => {
      const answer = await send(state, next, signal)
      if (next.method === 'POST') {
        mayAnswerForm = false
        return request
      }
      const leadsTo = redirectOf(answer)
      if (leadsTo && classifyAnswer({ url: leadsTo.href, status: answer.status, body: '' }) !== 'blocked')
        return { ...next, url: leadsTo }
      const last = answered(answer, leadsTo)
      return reportingUnknown(state.exit, last, () =>
        readOrAnswered(state, wantedPage, wanted, { answer: last, mayAnswerForm }, read),
      )
    }
    const verdictOn = (step: Read<T> | Sent) => ('verdict' in step ? step.verdict : undefined)
    const end = await state.exit.request(signal, judge, verdictOn, doorOf(url))
    if ('verdict' in end) return end
    next = end
  }
  throw new MapFailed('unknown')
}

/** Reads an answer, and reports it when nobody knows it. */
function reportingUnknown<Step extends Read<unknown> | Sent>(exit: Exit, answer: SiteAnswer, read: () => Step): Step {
  try {
    const step = read()
    if ('verdict' in step && step.verdict === 'unknown') exit.sawUnknown(answer)
    return step
  } catch (error) {
    if (error instanceof MapFailed && error.fault === 'unknown') exit.sawUnknown(answer)
    throw error
  }
}

/** Reads an answer, or returns the request that answers its consent form. */
function readOrAnswered<T>(
  state: State,
  { url, asData, isReplaceable }: HttpRequest,
  wanted: readonly AnswerKind[],
  { answer, mayAnswerForm }: { answer: SiteAnswer; mayAnswerForm: boolean },
  read: (answer: MapAnswer) => Read<T>,
): Read<T> | Sent {
  if (answer.kind === 'consent' && mayAnswerForm) return consentAnswer(state, answer)
  const isOfExit = asData && !(isReplaceable && answer.kind === 'refused')
  const failure = isOfExit ? failureOfData(answer, 'http', url, state.exit) : undefined
  if (failure?.fault === 'exit_refused') throw failure
  if (!wanted.includes(answer.kind)) throw failure ?? failureOf(answer, { refusesExit: true, scripts: false })
  return read(answer)
}

/** Returns the verdict on a page. One without any mark of the site may be a wall that nobody knows. */
export const pageVerdict = ({ kind }: Pick<MapAnswer, 'kind'>): Verdict => (kind === 'unmarked' ? 'unknown' : 'whole')

const judged =
  (verdictOn: (answer: MapAnswer) => Verdict) =>
  (value: MapAnswer): Read<MapAnswer> => ({ value, verdict: verdictOn(value) })

function readAs<T>(read: (payload: unknown) => Read<T>): (answer: MapAnswer) => Read<T> {
  return ({ text }) => {
    const payload = parseBody(text)
    if (payload === undefined) throw new MapFailed('unknown')
    return read(payload)
  }
}

/** A request for a page, or for data as a script of a page requests it. */
type HttpRequest = { readonly url: URL; readonly asData: boolean; readonly isReplaceable?: boolean }

/** Returns the request that rejects all cookies that may be rejected. Throws MapFailed without such a form. */
function consentAnswer({ chromiumVersion, language }: State, answer: SiteAnswer): Sent {
  const form = rejectForm(answer.text)
  const action = form && URL.parse(form.action, answer.url)
  if (!form || !action) throw new MapFailed('consent')
  const body = new URLSearchParams(form.fields).toString()
  const headers = formHeaders(profileOf(chromiumVersion()), language, new URL(answer.url))
  return { url: action, method: 'POST', headers, body }
}

type SiteAnswer = MapAnswer & { readonly status: number; readonly retryAfterMs: number | undefined }

const get = (state: State, { url, asData }: HttpRequest): Sent => ({ url, headers: state.headers(asData) })

/** Classifies an answer. `leadsTo`: where it redirects. Throws MapFailed for one that is cut off. */
function answered({ url, status, headers, body, truncated }: FetchAnswer, leadsTo: URL | undefined): SiteAnswer {
  if (truncated) throw new MapFailed('unknown')
  const text = body.toString('utf8')
  const kind = classifyAnswer({ url: leadsTo?.href ?? url, status, body: text })
  return { kind, url, text, status, retryAfterMs: retryAfter(headers['retry-after']) }
}

/** Returns the headers of requests for data and for pages, made once for each version of Chromium. */
function headersFor(settings: HttpIdentitySettings): State['headers'] {
  const { language, chromiumVersion } = settings
  let made: { version: string; data: Headers; document: Headers } | undefined
  return (asData) => {
    const version = chromiumVersion()
    if (made?.version !== version) {
      const profile = profileOf(version)
      const data = fetchHeaders(profile, language, frontPage(settings))
      made = { version, data, document: documentHeaders(profile, language) }
    }
    return asData ? made.data : made.document
  }
}

type Sent = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'body'>

function send(state: State, request: Sent, signal: AbortSignal): Promise<FetchAnswer> {
  const { client, jar, onRequest, onExchange } = state
  onRequest()
  const sent = client().fetch({
    ...request,
    cookies: jar,
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  })
  onExchange?.(httpExchange(request, sent))
  return sent
}

/** Work that runs once for all tasks that need its result. */
type SharedWork<T> = {
  /**
   * Returns the result. Starts the work unless it runs or is done. Throws its error; then the next call starts the work
   * again.
   */
  get(signal: AbortSignal): Promise<T>
  /**
   * Returns the result and forgets it, so that the next call starts the work again. Undefined when no work was started.
   */
  forget(): Promise<T> | undefined
  isStarted(): boolean
}

/** Creates shared work. When the task that started it stops, a waiting task starts it again. */
export function createSharedWork<T>(start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  type Run = { readonly signal: AbortSignal; readonly done: Promise<T> }
  let run: Run | undefined
  const begin = (signal: AbortSignal): Run => {
    const begun = { signal, done: start(signal) }
    begun.done.catch(() => {
      if (run === begun) run = undefined
    })
    return begun
  }
  return {
    async get(signal) {
      for (;;) {
        signal.throwIfAborted()
        run ??= begin(signal)
        const { done, signal: owner } = run
        try {
          return await abortable(done, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!owner.aborted) throw error
        }
      }
    },
    forget() {
      const forgotten = run?.done
      run = undefined
      return forgotten
    },
    isStarted: () => run !== undefined,
  }
}
