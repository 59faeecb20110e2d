import { EgressRefused } from './guard.ts'

/**
 * Why a request brought no answer: the guard refused it; nothing in time; the connection broke; the user's proxy did not
 * do its part; too many redirects; a body that cannot be decoded.
 */
export type FetchFault = 'refused' | 'timeout' | 'network' | 'proxy' | 'redirects' | 'encoding'

/** A request that brought no answer. Its text names no proxy. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  readonly fault: FetchFault

  constructor(fault: FetchFault, cause?: unknown) {
    super(`the request failed: ${fault}`, { cause })
    this.fault = fault
  }
}

const ENCODING_CODES = /^(?:Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR_FORMAT|ERR_PADDING)/

/** Names the fault behind what a connection threw; `proxied` when it went through a user's proxy. */
export function asFetchFailed(error: unknown, timedOut: boolean, proxied: boolean): FetchFailed {
  if (error instanceof FetchFailed) return error
  if (error instanceof EgressRefused) return new FetchFailed('refused', error)
  if (timedOut) return new FetchFailed('timeout')
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return new FetchFailed('timeout')
  if (ENCODING_CODES.test(code)) return new FetchFailed('encoding', error)
  // A tunnel that was answered with anything but 200 ends as an abort nobody asked for.
  if (proxied && (code === 'UND_ERR_ABORTED' || code === 'UND_ERR_PRX_CONN')) return new FetchFailed('proxy')
  return new FetchFailed('network', error)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
