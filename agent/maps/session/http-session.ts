import { CookieJar } from 'tough-cookie'
import { documentHeaders, faceOf, fetchHeaders, formHeaders } from '../../browser/face.ts'
import type { FetchAnswer, FetchRequest, HttpClient } from '../../egress/http-client.ts'
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
  /** The version of the Chromium that runs, once one does. */
  readonly chromiumVersion: () => string | undefined
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
  const asked = { url, asData: wanted.includes('payload') }
  const first = await get(session, asked)
  const answer = first.kind === 'consent' ? await throughConsent(session, first, asked) : first
  if (wanted.includes(answer.kind)) return answer
  throw new MapFailed(faultOf(answer))
}

/** A page to open, or data that the script of a page asks for. */
type Asked = { readonly url: URL; readonly asData: boolean }

async function throughConsent(session: MapSession, answer: Answered, asked: Asked): Promise<Answered> {
  const form = rejectForm(answer.text)
  const action = form && URL.parse(form.action, answer.url)
  if (!form || !action) throw new MapFailed('consent')
  const body = new URLSearchParams(form.fields).toString()
  const headers = formHeaders(faceOf(session.chromiumVersion()), session.language, new URL(answer.url))
  await send(session, { url: action, method: 'POST', headers, body })
  return get(session, asked)
}

type Answered = MapAnswer & { readonly status: number }

async function get(session: MapSession, { url, asData }: Asked): Promise<Answered> {
  const face = faceOf(session.chromiumVersion())
  const { language } = session
  const headers = asData ? fetchHeaders(face, language, frontPage(session)) : documentHeaders(face, language)
  const answer = await send(session, { url, headers })
  if (answer.truncated) throw new MapFailed('broken')
  const text = answer.body.toString('utf8')
  const kind = classifyAnswer({ url: answer.url, status: answer.status, body: text })
  return { kind, url: answer.url, text, status: answer.status }
}

type Sent = Pick<FetchRequest, 'url' | 'method' | 'headers' | 'body'>

function send({ client, jar, signal }: MapSession, request: Sent): Promise<FetchAnswer> {
  return client.fetch({ ...request, cookies: jar, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
}

function faultOf({ kind, status }: Answered): MapFailed['fault'] {
  if (kind === 'blocked' || kind === 'refused') return 'blocked'
  if (kind === 'consent' || kind === 'not_found') return kind
  if (kind === 'bad_request') return 'layout' // asking again the same way would be answered the same way
  return status >= 500 ? 'unavailable' : 'broken'
}
