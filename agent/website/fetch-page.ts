import { CookieJar } from 'tough-cookie'
import { browserHeaders } from '../browser/user-agent.ts'
import type { HttpClient } from '../egress/http-client.ts'
import { charsetOf } from './charset.ts'
import type { GetPage } from './crawl.ts'

const TIMEOUT_MS = 10_000
/** Where a contact address stands behind so much HTML, nobody finds it either. */
const MAX_BYTES = 1_500_000

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

/** A page's text, in the charset that a browser would read it in. */
export function decodeText(body: Buffer, contentType: string): string {
  return new TextDecoder(charsetOf(body, contentType)).decode(body)
}
