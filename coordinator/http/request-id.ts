import { randomUUID } from 'node:crypto'

/** What a client may call its request: short, and safe in a header and a log. */
const SANE = /^[\w.:/+=@-]{1,128}$/

/** The id of a request: the client's `X-Request-Id` when it is sane, else a new one. */
export function requestIdOf(given?: string | string[]): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID()
}
