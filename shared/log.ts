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

/** A logger of JSON lines on stderr, so that stdout stays free for what a command prints. */
export function createLogger(name: string, level: string): Logger {
  const redact = {
    paths: [...SECRET_MEMBERS, ...SECRET_MEMBERS.slice(0, 8).map((member) => `*.${member}`)],
    censor: '[hidden]',
  }
  return pino({ name, level, redact }, pino.destination({ fd: 2, sync: true }))
}

/** Waits for something whose failure changes nothing for us, and logs that failure with what was being done. */
export async function canFail(log: Logger, doing: string, work: PromiseLike<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    log.warn({ err: error }, `${doing} failed`)
  }
}
