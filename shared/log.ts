import { type Logger, pino, stdSerializers } from 'pino'
import { readableLine } from './readable-log.ts'
import { traceFields } from './tracing.ts'

export type { Logger }

/** Members of log lines whose values are always hidden. */
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

/** The size of the buffer while stderr is blocked. Further lines are lost. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Creates a logger on stderr, so that stdout stays free for the output of commands: lines for people on a terminal,
 * JSON lines everywhere else.
 */
export function createLogger(name: string, level: string): Logger {
  const redact = {
    paths: [...SECRET_MEMBERS, ...SECRET_MEMBERS.slice(0, 8).map((member) => `*.${member}`)],
    censor: '[hidden]',
  }
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_BYTES })
  // Without a listener, a full disk behind stderr would end the process. With it, lines are buffered until there is
  // room.
  destination.on('error', () => undefined)
  const options = { name, level, redact, mixin: traceFields, serializers: { err: errorFields } }
  return pino(options, process.stderr.isTTY ? readable(destination, level) : destination)
}

const readable = (destination: { write(text: string): unknown }, level: string) => ({
  write: (json: string) => {
    const line = readableLine(json, { debug: level === 'debug' || level === 'trace' })
    if (line !== undefined) destination.write(line)
  },
})

/**
 * Returns what the log says of an error: its type, message, stack with causes, and plain members such as its code. An
 * error of the database also holds the documents that were written.
 */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const all = Object.entries(stdSerializers.err(error)).filter(([, value]) => !(value instanceof Object))
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null))
}

/**
 * Awaits work that may fail without consequences, and returns its result. Logs its failure, and then returns undefined.
 * `doing` names the work in the log.
 */
export async function canFail<Result>(
  log: Logger,
  doing: string,
  work: PromiseLike<Result>,
): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    log.warn({ err: error }, `${doing} failed`)
    return undefined
  }
}
