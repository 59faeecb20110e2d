import { PlacefleetError } from '@placefleet/client'
import { reasonOf } from '@placefleet/shared/command-line'
import { EXIT as COMMON, runCommandLine } from '@placefleet/shared/commands/run'
import type { Environment } from '@placefleet/shared/config'
import { createContext, NotLoggedIn } from './context.ts'
import { PLACEFLEET } from './program.ts'
import type { Terminal } from './terminal.ts'

/** The exit codes, as the README and the help list them. */
export const EXIT = { ...COMMON, login: 3, missing: 4, limit: 5, job: 6, forbidden: 7 } as const

/** Runs the command line with its arguments and returns the exit code. Data goes to stdout, messages to stderr. */
export function runCli(args: string[], env: Environment, terminal: Terminal): Promise<number> {
  return runCommandLine(PLACEFLEET, args, {
    out: terminal.out,
    err: terminal.err,
    contextFor: (asJson) => createContext(env, terminal, asJson),
    faultCode: EXIT.job,
    explain: (error) => ({ text: explained(error), exitCode: exitCodeOf(error) }),
  })
}

const CODES: Partial<Record<number, number>> = {
  401: EXIT.login,
  402: EXIT.limit,
  403: EXIT.forbidden,
  404: EXIT.missing,
  429: EXIT.limit,
}

function exitCodeOf(error: unknown): number {
  if (error instanceof NotLoggedIn) return EXIT.login
  return (error instanceof PlacefleetError ? CODES[error.status] : undefined) ?? EXIT.failed
}

function explained(error: unknown): string {
  if (!(error instanceof PlacefleetError)) return reasonOf(error)
  if (error.status === 0) return error.message
  const { message, code, requestId } = error
  return `${message} (${code}${requestId === undefined ? '' : `, request ${requestId}`})`
}
