import type { IncomingMessage } from 'node:http'

/** A request to the simulated site. */
export interface Exchange {
  method: string
  url: URL
  /** Percent-decoded path. */
  path: string
  /** The language of the answer. */
  hl: string
  headers: IncomingMessage['headers']
  cookies: ReadonlyMap<string, string>
  /** The client's address. */
  address: string
  body: string
  /** When the request arrived (milliseconds since 1970). */
  askedAt: number
  /** The number of the request among pages and payloads, from 1. Random choices depend on it. */
  nth: number
}

/** Returns whether a script of the page made the request, in a browser: such a request has a header of its own. */
export const isMadeByPage = ({ headers }: Exchange) =>
  headers['sec-fetch-site'] === 'same-origin' && 'x-maps-diversion-context-bin' in headers

/** An answer of the simulated site. */
export interface Reply {
  status: number
  body: string | Buffer
  headers: Record<string, string>
  cookies?: string[]
}

const HTML = { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-cache, no-store' }

/** Returns a page. */
export const htmlReply = (body: string, status = 200): Reply => ({ status, body, headers: HTML })

/** Returns a payload. */
export const jsonReply = (body: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json; charset=UTF-8', 'cache-control': 'private', ...headers },
})

/** An answer without content. */
export const NOTHING: Reply = { status: 204, body: '', headers: {} }

export const redirect = (location: string): Reply => ({ status: 302, body: '', headers: { location, ...HTML } })

const ERRORS = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  410: 'Gone',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const

/** Returns the page for a request that the site cannot read or refuses. */
export function errorReply(status: keyof typeof ERRORS): Reply {
  return htmlReply(
    `<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Error ${status} (${ERRORS[status]})!!1</title>
<style>*{margin:0;padding:0}html,code{font:15px/22px arial,sans-serif}html{background:#fff;color:#222;padding:15px}body{margin:7% auto 0;max-width:390px;min-height:180px;padding:30px 0 15px}p{margin:11px 0 22px;overflow:hidden}ins{color:#777;text-decoration:none}</style>
<p><b>${status}.</b> <ins>That’s an error.</ins><p>Your client has issued a malformed or illegal request. <ins>That’s all we know.</ins>`,
    status,
  )
}
