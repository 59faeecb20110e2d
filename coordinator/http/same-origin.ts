import type { IncomingHttpHeaders } from 'node:http'

const READING = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/**
 * Whether a call that carries a cookie may have come from another site: it changes something, and no header of the browser says
 * that it comes from a page of ours (DECISIONS, "Sessions").
 */
export function maybeCrossSite(method: string, headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  if (READING.includes(method)) return false
  if (headers.origin === undefined) return headers['sec-fetch-site'] !== 'same-origin'
  if (!URL.canParse(headers.origin)) return true
  const origin = new URL(headers.origin)
  return publicUrl === undefined ? origin.host !== headers.host : origin.origin !== new URL(publicUrl).origin
}
