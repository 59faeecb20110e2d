import { BrowserFailed } from '../../browser/within.ts'
import { FetchFailed } from '../../egress/failure.ts'

/**
 * Why the map site gave nothing: it refuses this session; it stays behind its consent form; it knows no such page; it
 * answered with an error of its own; no answer came (connection or time); the user's proxy failed; what came is not what
 * the site sends; it is a payload, but of no known layout. And `browser`: the site was not even asked, since Chromium
 * cannot be started here.
 */
export type MapFault =
  | 'blocked'
  | 'consent'
  | 'not_found'
  | 'unavailable'
  | 'network'
  | 'timeout'
  | 'proxy'
  | 'broken'
  | 'layout'
  | 'browser'

/** A question to the map site that brought no usable answer. */
export class MapFailed extends Error {
  override readonly name = 'MapFailed'
  readonly fault: MapFault

  constructor(fault: MapFault, cause?: unknown) {
    super(`the map site gave no usable answer: ${fault}`, { cause })
    this.fault = fault
  }
}

/** Faults that may be gone at the next try. */
export const TRANSIENT: ReadonlySet<MapFault> = new Set<MapFault>(['unavailable', 'network', 'timeout', 'broken'])

const OF_FETCH = {
  refused: 'broken',
  timeout: 'timeout',
  network: 'network',
  proxy: 'proxy',
  redirects: 'broken',
  encoding: 'broken',
} as const

// None of them says anything of the way to the site but running out of time.
const OF_BROWSER = { timeout: 'timeout', crashed: 'broken', unavailable: 'browser' } as const

/** Playwright's errors have no codes; they begin with the call that failed. */
const PLAYWRIGHT_CALL = /^(?:page|locator|frame|response|browserContext|browser|cdpSession)\.\w+: /

/** The map fault behind what a fetch or a browser visit threw; anything else is thrown on as it is. */
export function asMapFailed(error: unknown): MapFailed {
  if (error instanceof MapFailed) return error
  if (error instanceof FetchFailed) return new MapFailed(OF_FETCH[error.fault], error)
  if (error instanceof BrowserFailed) return new MapFailed(OF_BROWSER[error.fault], error)
  if (error instanceof Error && error.name === 'TimeoutError') return new MapFailed('timeout', error)
  // Chromium words network errors this way; a tunnel that fails is the proxy's doing, for the guard's own is a 403 too.
  const netError = error instanceof Error ? /net::ERR_(\w+)/.exec(error.message)?.[1] : undefined
  if (netError !== undefined) return new MapFailed(/TUNNEL|PROXY/.test(netError) ? 'proxy' : 'network', error)
  // A page that goes elsewhere by itself breaks whatever call was under way.
  if (error instanceof Error && PLAYWRIGHT_CALL.test(error.message)) return new MapFailed('broken', error)
  throw error
}
