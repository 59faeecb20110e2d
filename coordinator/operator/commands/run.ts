import { EXIT, type Output, runCommandLine } from '@placefleet/shared/commands/run'
import type { Environment } from '@placefleet/shared/config'
import { ConfigError } from '@placefleet/shared/config'
import { AppError } from '../../http/errors.ts'
import { databaseFailure, isDatabaseDown } from '../../mongo/failures.ts'
import { createContext } from './context.ts'
import { OPS } from './program.ts'

const TERMINAL: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

/** Runs the operator's command line with its arguments and returns the exit code. Errors go to `err`. */
export async function runOps(args: string[], env: Environment, output: Output = TERMINAL): Promise<number> {
  const context = createContext(env)
  try {
    return await runCommandLine(OPS, args, {
      ...output,
      contextFor: () => context,
      faultCode: EXIT.failed,
      explain: (error) => ({ text: explained(error), exitCode: EXIT.failed }),
    })
  } finally {
    await context.close()
  }
}

function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AppError || error instanceof ConfigError) return error.message
  return isDatabaseDown(error) ? `MongoDB stopped answering: ${databaseFailure(error)}` : (error.stack ?? error.message)
}
