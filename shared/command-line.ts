import { readFileSync } from 'node:fs'
import { parseArgs, parseEnv } from 'node:util'
import type { z } from 'zod'
import type { SettingsFile } from './unknown-settings.ts'

/** Thrown for a wrong command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The last lines of the help of a long-running program. */
export const PROGRAM_OPTIONS_HELP = `Options:
  --env-file FILE  reads settings from FILE (NAME=value lines); variables that are already set win
  --help           prints this text`

/**
 * Reads the options of a long-running program and loads the file of `--env-file` into `process.env`.
 * @returns whether `--help` was given, and the file with its names.
 * @throws UsageError when the file cannot be read, and the error of `parseArgs` for an unknown option.
 */
export function readProgramOptions(args = process.argv.slice(2)): { help: boolean; file?: SettingsFile } {
  const options = { help: { type: 'boolean', short: 'h' }, 'env-file': { type: 'string' } } as const
  const { help = false, 'env-file': path } = parseArgs({ args, options }).values
  return path === undefined || help ? { help } : { help, file: { path, names: loadSettings(path) } }
}

/** Loads a file of settings into `process.env` and returns its names. Variables that are already set win. */
function loadSettings(path: string): string[] {
  try {
    process.loadEnvFile(path)
    return Object.keys(parseEnv(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new UsageError(`--env-file: ${path} cannot be read: ${reasonOf(cause)}`, { cause })
  }
}

/**
 * Reads the values of options with their schemas.
 * @throws UsageError that names each wrong option.
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
 * Prints on stderr why a program ends, and returns its exit code: 2 with the usage for a wrong command line, otherwise
 * 1. An error that the operator can fix is one sentence. A bug of ours, and every error with LOG_LEVEL=debug, is
 * printed with its stack. Other members of errors are never printed, because they may contain passwords.
 */
export function explainEnd(error: unknown, usage: string, logLevel = process.env.LOG_LEVEL): 1 | 2 {
  const wrong = wrongUsage(error)
  console.error(wrong === undefined ? explained(error, logLevel) : `${wrong}\n\n${usage.trimEnd()}`)
  return wrong === undefined ? 1 : 2
}

/** Returns the message of an error; without one, the messages of its parts or its code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return 'code' in error ? String(error.code) : error.name
}

function wrongUsage(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  const isOfParseArgs = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
  // Node adds advice on arguments that begin with a dash; our programs take none.
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
