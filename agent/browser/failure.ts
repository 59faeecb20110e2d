/** Why Chromium brought nothing: no answer in time, it crashed or was killed, or it could not be started. */
export type BrowserFault = 'timeout' | 'crashed' | 'unavailable'

/** A visit that ended without a result. */
export class BrowserFailed extends Error {
  override readonly name = 'BrowserFailed'
  readonly fault: BrowserFault

  constructor(fault: BrowserFault, cause?: unknown) {
    super(`the browser failed: ${fault}`, { cause })
    this.fault = fault
  }
}
