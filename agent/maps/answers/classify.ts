import { isGuarded, parseBody } from './body.ts'
import { consentForms } from './consent.ts'
import { pageState, placeOfState } from './page-state.ts'

/** An answer of the site after redirects: the final URL, the status, the body as text. */
export interface Answer {
  readonly url: string
  readonly status: number
  readonly body: string
}

/**
 * What an answer is. `payload`: data to parse. `feed` and `place`: a page with a list of results or about a place, drawn
 * or not. `page`: another page of the site, as it comes before scripts have drawn it. `consent`: the cookie choice must
 * be made first. `blocked`: the site refuses this address for a while. `refused`: this request is not allowed.
 * `bad_request`: it is not understood. `broken`: nothing that the site means to send.
 */
export type AnswerKind =
  | 'payload'
  | 'feed'
  | 'place'
  | 'page'
  | 'consent'
  | 'blocked'
  | 'not_found'
  | 'bad_request'
  | 'refused'
  | 'broken'

const BY_STATUS = new Map<number, AnswerKind>([
  [429, 'blocked'],
  [400, 'bad_request'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'not_found'],
  [410, 'not_found'],
])
const CAPTCHA = /<form\s[^<>]*\bid\s*=\s*["']?captcha-form\b/i

/**
 * Says what an answer is, by where it came from, then by its status, then by its body; never by words. An error page can
 * be the captcha or the consent page, so that these are looked for whatever the status.
 */
export function classifyAnswer({ url, status, body }: Answer): AnswerKind {
  return kindByUrl(url) ?? wallOf(body) ?? kindByStatus(status) ?? kindByBody(body)
}

function kindByUrl(address: string): AnswerKind | undefined {
  const url = URL.parse(address)
  if (url?.hostname.startsWith('consent.')) return 'consent'
  return url !== null && /^\/sorry(\/|$)/.test(url.pathname) ? 'blocked' : undefined
}

function wallOf(body: string): AnswerKind | undefined {
  if (CAPTCHA.test(body)) return 'blocked'
  return isPage(body) && consentForms(body).length > 0 ? 'consent' : undefined
}

function kindByStatus(status: number): AnswerKind | undefined {
  return status >= 200 && status < 300 ? undefined : (BY_STATUS.get(status) ?? 'broken')
}

function kindByBody(body: string): AnswerKind {
  if (!isPage(body)) return isGuarded(body) || Array.isArray(parseBody(body)) ? 'payload' : 'broken'
  if (/role\s*=\s*["']?feed\b/.test(body)) return 'feed'
  if (/<h1[^<>]*\bDUwDvf\b/.test(body)) return 'place'
  const state = pageState(body)
  // Every page of the site carries its state. A page without is of something between us and the site.
  if (state === undefined) return 'broken'
  return placeOfState(state) === undefined ? 'page' : 'place'
}

const isPage = (body: string): boolean => body.trimStart().startsWith('<')
