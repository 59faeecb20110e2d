import { isGuarded, parseBody } from './body.ts'
import { consentForms } from './consent.ts'
import { pageState, placeOfState } from './page-state.ts'

/** An answer of the site after redirects, with the last URL. */
export type Answer = { readonly url: string; readonly status: number; readonly text: string }

/** The kind of an answer. Pages are of a kind whether they are drawn or not. */
export type AnswerKind =
  | 'payload' // data to parse
  | 'feed' // a page with a result list
  | 'place' // a page about a place
  | 'page' // another page of the site
  | 'unmarked' // a page without any mark of the site; it may be one of the site's pages
  | 'consent' // the client must choose about cookies first
  | 'blocked' // the site refuses this client for a while
  | 'needs_scripts' // the page for clients without scripts; to one that runs scripts it is a refusal
  | 'not_found'
  | 'bad_request' // the site does not understand the request
  | 'refused' // this request is not allowed
  | 'broken' // anything else

const BY_STATUS = new Map<number, AnswerKind>([
  [429, 'blocked'],
  [400, 'bad_request'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'not_found'],
  [410, 'not_found'],
])
const CAPTCHA = /<form\s[^<>]*\bid\s*=\s*["']?captcha-form\b/i
// A page leads to the captcha when it names the path and is short apart from URLs. Good pages name it in scripts.
const STUB_LENGTH = 2_000
const LONGEST_STUB = 20_000
const TO_CAPTCHA = /(?:url=|href\s*=\s*["']?)[^"'<>\s]*\/sorry\//i
const ADDRESSES = /(?:url=|href\s*=\s*["']?)[^"'<>\s]*/gi
/** The page for clients without scripts. Good pages only mention it, in strings of their scripts. */
const NO_SCRIPT =
  /<noscript>[\s\S]{0,500}\/httpservice\/retry\/enablejs|<meta[^<>]*\burl=\/httpservice\/retry\/enablejs\b|(?<!["'])\bemsg\s*=\s*["']?SG_REL/i
const OUR_ADDRESS = /IP address: ([0-9a-f.:]{3,45})/i

/**
 * Classifies an answer by its URL, then by captcha and consent pages, then by its status, then by its body; never by
 * words. Captcha and consent pages come with any status. Good pages can contain a hidden consent panel and URLs of the
 * captcha, so the marks of a good page are checked first.
 */
export function classifyAnswer({ url, status, text: body }: Answer): AnswerKind {
  const marked = isPage(body) ? kindByMarks(body) : undefined
  return kindByUrl(url) ?? wallOf(body, marked !== undefined) ?? kindByStatus(status) ?? marked ?? kindByBody(body)
}

function kindByUrl(address: string): AnswerKind | undefined {
  const url = URL.parse(address)
  if (url?.hostname.startsWith('consent.')) return 'consent'
  return url !== null && /^\/sorry(\/|$)/.test(url.pathname) ? 'blocked' : undefined
}

function wallOf(body: string, isMarked: boolean): AnswerKind | undefined {
  if (!isPage(body)) return undefined
  if (CAPTCHA.test(body) || isStubToCaptcha(body)) return 'blocked'
  if (isMarked) return undefined
  if (consentForms(body).length > 0) return 'consent'
  return NO_SCRIPT.test(body) ? 'needs_scripts' : undefined
}

// The stub contains the requested URL twice, which is long for a payload.
function isStubToCaptcha(body: string): boolean {
  if (body.length > LONGEST_STUB || !TO_CAPTCHA.test(body)) return false
  return body.replaceAll(ADDRESSES, '').length < STUB_LENGTH
}

function kindByStatus(status: number): AnswerKind | undefined {
  return status >= 200 && status < 300 ? undefined : (BY_STATUS.get(status) ?? 'broken')
}

function kindByMarks(body: string): AnswerKind | undefined {
  if (/role\s*=\s*["']?feed\b/.test(body)) return 'feed'
  if (/<h1[^<>]*\bDUwDvf\b/.test(body)) return 'place'
  const state = pageState(body)
  if (state === undefined) return undefined
  return placeOfState(state) === undefined ? 'page' : 'place'
}

function kindByBody(body: string): AnswerKind {
  if (isPage(body)) return 'unmarked'
  return isGuarded(body) || Array.isArray(parseBody(body)) ? 'payload' : 'broken'
}

/** Returns our IP address, as a refusal names it. */
export const addressInRefusal = (body: string): string | undefined => OUR_ADDRESS.exec(body)?.[1]

const isPage = (body: string): boolean => body.trimStart().startsWith('<')
