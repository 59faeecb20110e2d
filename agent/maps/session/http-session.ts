import { CookieJar } from 'tough-cookie'
import { browserHeaders } from '../../browser/user-agent.ts'
import type { FetchAnswer, HttpClient } from '../../egress/http-client.ts'
import { parseBody } from '../answers/body.ts'
import { type AnswerKind, classifyAnswer } from '../answers/classify.ts'
import { rejectForm } from '../answers/consent.ts'
import { MapFailed } from './fault.ts'
import { type RetryPolicy, withRetries } from './retry.ts'

/** An answer of the map site that is what it was asked for. */
export type MapAnswer = { readonly kind: AnswerKind; readonly url: string; readonly text: string }

/** One session of the map site over plain HTTP, with cookies of its own. */
export type HttpSession = {
  readonly jar: CookieJar
  /**
   * Asks for a page or payload of one of these kinds. The first question is preceded by a visit of the front page, whose
   * cookie makes answers complete; a consent form is answered with "reject". Transient failures are tried again.
   * Throws MapFailed or the abort reason.
   */
  ask(url: URL, wanted: readonly AnswerKind[]): Promise<MapAnswer>
  /** Asks for a payload and parses it; one that is cut off or no JSON is tried again. */
  askPayload(url: URL): Promise<unknown>
}

type Settings = {
  readonly client: HttpClient
  readonly base: URL
  readonly language: string
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
}

const TIMEOUT_MS = 15_000
/** A place page is under 1 MB; ten times that is nothing the site sends. */
const MAX_BYTES = 10_000_000
const PAGE_KINDS: readonly AnswerKind[] = ['page', 'feed', 'place']

/** A session that has asked for nothing yet. */
export function createHttpSession(settings: Settings): HttpSession {
  const jar = new CookieJar()
  const session = { ...settings, jar }
  let arrived: Promise<unknown> | undefined
  const arrive = () => {
    arrived ??= askOnce(session, frontPage(settings), PAGE_KINDS).catch((error: unknown) => {
      arrived = undefined
      throw error
    })
    return arrived
  }
  const ask = (url: URL, wanted: readonly AnswerKind[]) =>
    withRetries(settings.retryPolicy, settings.signal, async () => {
      await arrive()
      return askOnce(session, url, wanted)
    })
  const askPayload = (url: URL) =>
    withRetries(settings.retryPolicy, settings.signal, async () => {
      await arrive()
      const payload = parseBody((await askOnce(session, url, ['payload'])).text)
      if (payload === undefined) throw new MapFailed('broken')
      return payload
    })
  return { jar, ask, askPayload }
}

/** The page by which a session of this language arrives. */
export function frontPage({ base, language }: { base: URL; language: string }): URL {
  return new URL(`/maps?hl=${encodeURIComponent(language)}`, base)
}

type MapSession = Settings & { readonly jar: CookieJar }

async function askOnce(session: MapSession, url: URL, wanted: readonly AnswerKind[]): Promise<MapAnswer> {
  const first = await get(session, url)
  const answer = first.kind === 'consent' ? await throughConsent(session, first, url) : first
  if (wanted.includes(answer.kind)) return answer
  throw new MapFailed(faultOf(answer))
}

async function throughConsent(session: MapSession, answer: Answered, url: URL): Promise<Answered> {
  const form = rejectForm(answer.text)
  const action = form && URL.parse(form.action, answer.url)
  if (!form || !action) throw new MapFailed('consent')
  const body = new URLSearchParams(form.fields).toString()
  await send(session, action, { method: 'POST', body, type: 'application/x-www-form-urlencoded' })
  return get(session, url)
}

type Answered = MapAnswer & { readonly status: number }

async function get(session: MapSession, url: URL): Promise<Answered> {
  const answer = await send(session, url)
  if (answer.truncated) throw new MapFailed('broken')
  const text = answer.body.toString('utf8')
  const kind = classifyAnswer({ url: answer.url, status: answer.status, body: text })
  return { kind, url: answer.url, text, status: answer.status }
}

type Form = { readonly method: 'POST'; readonly body: string; readonly type: string }

function send({ client, jar, language, signal }: MapSession, url: URL, form?: Form): Promise<FetchAnswer> {
  const headers = { ...browserHeaders(language), accept: '*/*', ...(form ? { 'content-type': form.type } : {}) }
  const post = form ? { method: form.method, body: form.body } : {}
  return client.fetch({ url, ...post, headers, cookies: jar, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
}

function faultOf({ kind, status }: Answered): MapFailed['fault'] {
  if (kind === 'blocked' || kind === 'refused') return 'blocked'
  if (kind === 'consent' || kind === 'not_found') return kind
  if (kind === 'bad_request') return 'layout' // asking again the same way would be answered the same way
  return status >= 500 ? 'unavailable' : 'broken'
}
