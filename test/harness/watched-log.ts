import { errorFields, type Logger } from '@placefleet/shared/log'
import { pino } from 'pino'
import { z } from 'zod'

/** pino's number of the level `error`. */
const ERROR = 50

const ErrorLine = z.object({ level: z.number().min(ERROR), msg: z.string() })

/** The log of a product under test. Whoever starts the product checks the log when it has ended. */
export type WatchedLog = {
  log: Logger
  /** From now on, the test expects errors whose message has this text. */
  expectError(message: string): void
  /** Takes what a process of the product wrote to its log. */
  logged(text: string): void
  /** @throws Error when the log has errors that nobody expected. */
  check(): void
}

/** Creates a log that remembers lines of errors. TEST_LOG_LEVEL shows lines from that level on. */
export function watchedLog(name = 'test'): WatchedLog {
  const lines: string[] = []
  const shown = process.env.TEST_LOG_LEVEL
  const write = (line: string) => {
    lines.push(line)
    if (shown !== undefined) process.stderr.write(line)
  }
  const log = pino({ name, level: shown ?? 'error', serializers: { err: errorFields } }, { write })
  const expected: string[] = []
  return {
    log,
    expectError: (message) => void expected.push(message),
    logged: (text) => void lines.push(...text.split('\n')),
    check: () => checkErrors(lines, expected),
  }
}

/** @throws Error when log lines have errors whose messages have none of the expected texts. */
function checkErrors(lines: readonly string[], expected: readonly string[]): void {
  const unexpected = lines.filter((line) => {
    const error = line.startsWith('{') ? ErrorLine.safeParse(parsed(line)).data : undefined
    return error && !expected.some((text) => error.msg.includes(text))
  })
  if (unexpected.length === 0) return
  const advice = 'A test that expects them says so with `expectError` of its world.'
  throw new Error(`The product logged errors. ${advice}\n${unexpected.slice(0, 5).join('\n')}`)
}

/** Undefined for a line that its process could not finish. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
