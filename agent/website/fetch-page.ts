import sniffEncoding from 'html-encoding-sniffer'
import { CookieJar } from 'tough-cookie'
import { type BrowserProfile, named } from '../browser/browser-profile.ts'
import { isUnverifiable } from '../egress/failure.ts'
import { type ClientOptions, type HttpClient, redirectOf } from '../egress/http-client.ts'
import type { GetPage } from './crawl.ts'

const TIMEOUT_MS = 10_000
/** The most bytes of a page. An address further down is not worth the memory. */
const MAX_BYTES = 1_500_000
/** The most characters of a Content-Type that are read. Longer ones are attacks. */
const MAX_CONTENT_TYPE = 200
const CHARSET = /charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:.()-]{1,40})/i

/** Our name in robots.txt and in the logs of websites. */
export const OUR_NAME = 'Placefleet'

/** Pages of one website over plain HTTP, with their own cookies and connections. */
type WebsitePages = { readonly get: GetPage; close(): Promise<void> }

/** A site with a careless certificate is read unverified and without cookies: what it shows is public. */
export function createWebsitePages(
  open: (options: ClientOptions) => HttpClient,
  profile: BrowserProfile,
  language: string,
): WebsitePages {
  const cookies = new CookieJar()
  // Websites may know who visits them. The map site sees only the headers of Chromium.
  const headers = {
    'user-agent': named(profile, OUR_NAME).userAgent,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': language,
  }
  const client = open({})
  let unverified: HttpClient | undefined
  return {
    async get(url, signal) {
      const request = { url, headers, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
      const answer = await client.fetch({ ...request, cookies }).catch((error: unknown) => {
        if (!isUnverifiable(error)) throw error
        unverified ??= open({ verifiesCertificates: false })
        return unverified.fetch(request)
      })
      const contentType = answer.headers['content-type'] ?? ''
      const text = decodeText(answer.body, contentType)
      return { status: answer.status, url: answer.url, redirect: redirectOf(answer), contentType, text }
    },
    close: async () => {
      await Promise.all([client.close(), unverified?.close()])
    },
  }
}

/** Decodes a page in the charset that a browser would use (WHATWG HTML, "determining the character encoding"). */
export function decodeText(body: Buffer, contentType: string): string {
  const label = CHARSET.exec(contentType.slice(0, MAX_CONTENT_TYPE))?.[1]
  const declared = label === undefined ? {} : { transportLayerEncodingLabel: label }
  return new TextDecoder(sniffEncoding(body, { ...declared, defaultEncoding: 'UTF-8' })).decode(body)
}
