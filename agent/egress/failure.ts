import { EgressRefused } from './guard.ts'

/**
 * Why a request got no response. `refused`: by the guard. `timeout`: no answer in time. `network`: the connection
 * broke, or the host name could not be resolved. `proxy`: the user's proxy failed. `encoding`: the body cannot be
 * decoded.
 */
type FetchFault = 'refused' | 'timeout' | 'network' | 'proxy' | 'encoding'

/** Thrown when a request gets no response. Its text names no proxy. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  readonly fault: FetchFault

  constructor(fault: FetchFault, cause?: unknown) {
    super(`the request failed: ${fault}`, { cause })
    this.fault = fault
  }
}

const ENCODING_CODES = /^(?:Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR_FORMAT|ERR_PADDING)/

/** Converts an error of a connection. `proxied`: the connection went through a user's proxy. */
export function asFetchFailed(error: unknown, timedOut: boolean, proxied: boolean): FetchFailed {
  if (error instanceof FetchFailed) return error
  if (error instanceof EgressRefused) return new FetchFailed(error.isUnresolved ? 'network' : 'refused', error)
  if (timedOut) return new FetchFailed('timeout')
  const code = codeOf(error)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return new FetchFailed('timeout')
  if (ENCODING_CODES.test(code)) return new FetchFailed('encoding', error)
  // A tunnel that was not answered with 200 ends as an abort.
  if (proxied && (code === 'UND_ERR_ABORTED' || code === 'UND_ERR_PRX_CONN')) return new FetchFailed('proxy')
  return new FetchFailed('network', error)
}

/** An expired certificate, and a chain without its middle, which browsers complete by themselves. */
const UNVERIFIABLE = ['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY']

/** Returns whether a request failed because the server was careless with its certificate. */
export const isUnverifiable = (error: unknown): boolean =>
  error instanceof FetchFailed && UNVERIFIABLE.includes(codeOf(error.cause))

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
