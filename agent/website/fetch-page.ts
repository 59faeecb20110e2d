import sniffEncoding from 'html-encoding-sniffer'
import { CookieJar } from 'tough-cookie'
import { browserHeaders } from '../browser/user-agent.ts'
import type { HttpClient } from '../egress/http-client.ts'
import type { GetPage } from './crawl.ts'

const TIMEOUT_MS = 10_000
/** A contact address behind so much HTML is not worth the memory. */
const MAX_BYTES = 1_500_000
const CHARSET = /charset\s*=\s*["']?\s*([\w:.()-]+)/i

/** A function that fetches pages of one business website with its own cookies. */
export function createGetPage(client: HttpClient, language: string): GetPage {
  const cookies = new CookieJar()
  const headers = { ...browserHeaders(language), accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  return async (url, signal) => {
    const answer = await client.fetch({ url, headers, cookies, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES })
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.status, url: answer.url, contentType, text: decodeText(answer.body, contentType) }
  }
}

/** Decodes a page in the charset that a browser would use (WHATWG HTML, "determining the character encoding"). */
export function decodeText(body: Buffer, contentType: string): string {
  const label = CHARSET.exec(contentType)?.[1]
  const declared = label === undefined ? {} : { transportLayerEncodingLabel: label }
  return new TextDecoder(sniffEncoding(body, { ...declared, defaultEncoding: 'UTF-8' })).decode(body)
}
