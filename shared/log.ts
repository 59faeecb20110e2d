import { type Logger, pino } from 'pino'

export type { Logger }

/** Names of log members whose values never leave the process, whatever is logged. */
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'token',
  'password',
  'secret',
  'proxies',
  'proxy',
  'api_key',
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
]

/** What may wait while stderr takes nothing; lines beyond are lost. */
const MAX_WAITING_BYTES = 1_048_576

/** A logger of JSON lines on stderr, so that stdout stays free for what a command prints. */
export function createLogger(name: string, level: string): Logger {
  const redact = {
    paths: [...SECRET_MEMBERS, ...SECRET_MEMBERS.slice(0, 8).map((member) => `*.${member}`)],
    censor: '[hidden]',
  }
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES })
  // Without a listener, a full disk behind stderr would end the process. With one, lines wait until there is room.
  destination.on('error', () => undefined)
  return pino({ name, level, redact }, destination)
}

/** Waits for something whose failure changes nothing for us, and logs that failure with what was being done. */
export async function canFail(log: Logger, doing: string, work: PromiseLike<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    log.warn({ err: error }, `${doing} failed`)
  }
}
