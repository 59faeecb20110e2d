import { reasonOf } from './command-line.ts'

const REFUSALS = [
  'AUTHORIZATION_VIOLATION',
  'AUTHENTICATION_TIMEOUT',
  'BAD_AUTHENTICATION',
  'BAD_CREDS',
  'ACCOUNT_EXPIRED',
]
const SILENCES: Readonly<Record<string, string>> = {
  CONNECTION_REFUSED: 'the connection is refused',
  CONNECTION_TIMEOUT: 'nothing came in time',
  TIMEOUT: 'nothing came in time',
}

/** Whether a failure is one of the NATS client's. */
export const isNatsFailure = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && error.name === 'NatsError' && 'code' in error && typeof error.code === 'string'

/** What an operator is told when the NATS of NATS_URL cannot be used: what to do, and nothing of its address. */
export function natsUnusable(cause: unknown): Error {
  const code = isNatsFailure(cause) ? cause.code : ''
  const text = REFUSALS.includes(code)
    ? 'refuses the user and password, or the token. Set NATS_URL to those of its configuration.'
    : `does not answer: ${SILENCES[code] ?? reasonOf(cause)}. Start it, or set NATS_URL to where it is.`
  return new Error(`NATS (NATS_URL) ${text}`, { cause })
}
