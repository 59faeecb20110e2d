import sniffEncoding from 'html-encoding-sniffer'
import { CookieJar } from 'tough-cookie'
import { faceOf } from '../browser/face.ts'
import type { HttpClient } from '../egress/http-client.ts'
import type { GetPage } from './crawl.ts'
import type { HostTurns } from './host-turns.ts'
import { OUR_NAME } from './robots.ts'

const TIMEOUT_MS = 10_000
/** A contact address behind so much HTML is not worth the memory. */
const MAX_BYTES = 1_500_000
const CHARSET = /charset\s*=\s*["']?\s*([\w:.()-]+)/i

/** A function that fetches pages of one business website with its own cookies, one at a time from each host. */
export function createGetPage(client: HttpClient, language: string, turns: HostTurns): GetPage {
  const cookies = new CookieJar()
  const headers = websiteHeaders(language)
  return async (url, signal) => {
    const request = { url, headers, cookies, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await turns.run(url.host, () => client.fetch(request))
    const contentType = answer.headers['content-type'] ?? ''
    return { status: answer.status, url: answer.url, contentType, text: decodeText(answer.body, contentType) }
  }
}

// A website may know who visits it, unlike the map site, where we look like the browser that we are.
const websiteHeaders = (language: string): Record<string, string> => ({
  'user-agent': `${faceOf().userAgent} ${OUR_NAME}`,
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': language,
})

/** Decodes a page in the charset that a browser would use (WHATWG HTML, "determining the character encoding"). */
export function decodeText(body: Buffer, contentType: string): string {
  const label = CHARSET.exec(contentType)?.[1]
  const declared = label === undefined ? {} : { transportLayerEncodingLabel: label }
  return new TextDecoder(sniffEncoding(body, { ...declared, defaultEncoding: 'UTF-8' })).decode(body)
}
