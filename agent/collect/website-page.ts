import { CookieJar } from 'tough-cookie'
import { browserHeaders } from '../browser/user-agent.ts'
import type { HttpClient } from '../egress/http-client.ts'
import type { GetPage } from '../website/visit.ts'

const TIMEOUT_MS = 10_000
/** Where a contact address stands behind so much HTML, nobody finds it either. */
const MAX_BYTES = 1_500_000
const CHARSET = /charset\s*=\s*["']?\s*([\w-]+)/i
/** Browsers look for the charset of a page in its first bytes only (WHATWG HTML, "prescan a byte stream"). */
const PRESCAN_BYTES = 1_024

/** Fetches pages of business websites, with cookies of their own for each visit. */
export function createGetPage(client: HttpClient, language: string): GetPage {
  const cookies = new CookieJar()
  const headers = { ...browserHeaders(language), accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  return async (url, signal) => {
    const answer = await client.fetch({ url, headers, cookies, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.status, url: answer.url, contentType, text: decodeText(answer.body, contentType) }
  }
}

/** A page's text in the charset that its header, else its head, names; UTF-8 when neither names a known one. */
export function decodeText(body: Buffer, contentType: string): string {
  const head = body.subarray(0, PRESCAN_BYTES).toString('latin1')
  const charset = CHARSET.exec(contentType)?.[1] ?? CHARSET.exec(head)?.[1]
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body) // a charset nobody knows; most pages are UTF-8 whatever they say
  }
}
