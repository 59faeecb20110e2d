import type { z } from 'zod'

/** A command line that is written wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The values of options, as their schemas read them.
 * @throws UsageError that names each option that is wrong.
 */
export function checkOptions<Options extends z.ZodObject>(
  options: Options,
  values: Record<string, unknown>,
): z.infer<Options> {
  const read = options.safeParse(values)
  if (read.success) return read.data
  throw new UsageError(
    [...new Set(read.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`))].join('\n'),
  )
}

/**
 * Says on stderr why a program ends, and gives its exit code: 2 with its usage for a command line that is written wrongly,
 * else 1. What the operator can mend is said in a sentence; a stack is shown for faults of ours and, with
 * LOG_LEVEL=debug, for all. Members of errors never are: some hold what could not be read, passwords too.
 */
export function explainEnd(error: unknown, usage: string, logLevel = process.env.LOG_LEVEL): 1 | 2 {
  const wrong = wrongUsage(error)
  console.error(wrong === undefined ? explained(error, logLevel) : `${wrong}\n\n${usage.trimEnd()}`)
  return wrong === undefined ? 1 : 2
}

/** What an error says of itself, also where that is in its parts or its code alone. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return 'code' in error ? String(error.code) : error.name
}

function wrongUsage(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  const isOfParseArgs = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  // What Node adds is about arguments that begin with a dash; no program of ours takes one.
  return isOfParseArgs ? error.message.replace(/ To specify a positional argument.*$/s, '') : undefined
}

const OURS = [TypeError, RangeError, ReferenceError, SyntaxError]

function explained(error: unknown, logLevel: string | undefined): string {
  if (!(error instanceof Error)) return String(error)
  const isForUs = OURS.some((kind) => error instanceof kind) || logLevel === 'debug' || logLevel === 'trace'
  return isForUs ? withStack(error) : reasonOf(error)
}

function withStack(error: Error): string {
  const own = error.stack ?? reasonOf(error)
  return error.cause instanceof Error ? `${own}\nCaused by: ${withStack(error.cause)}` : own
}
