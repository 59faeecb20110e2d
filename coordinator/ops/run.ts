import { UsageError } from '@placefleet/shared/command-line'
import type { Environment } from '@placefleet/shared/config'
import { ConfigError } from '@placefleet/shared/config'
import { CommanderError } from 'commander'
import { AppError } from '../http/errors.ts'
import { isDatabaseDown } from '../mongo/failures.ts'
import { createContext } from './context.ts'
import { createProgram } from './program.ts'

/** The exit codes. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Where a command writes its answer and its errors. */
export type Output = { out(text: string): void; err(text: string): void }

const TERMINAL: Output = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
}

/** Runs the operator's command line with its arguments and returns the exit code. Errors go to `err`. */
export async function runOps(args: string[], env: Environment, { out, err }: Output = TERMINAL): Promise<number> {
  const context = createContext(env)
  let failed = false
  try {
    const program = createProgram(
      async (command, given, asJson) => {
        const report = await command.run(context, given)
        out(`${asJson ? JSON.stringify(report.data, undefined, 2) : report.text}\n`)
        failed = report.failed === true
      },
      { writeOut: out, writeErr: err },
    )
    await program.parseAsync(args, { from: 'user' })
    return failed ? EXIT.failed : EXIT.done
  } catch (error) {
    // Commander printed the error. It also throws after --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    err(`error: ${explained(error)}\n`)
    return error instanceof UsageError ? EXIT.usage : EXIT.failed
  } finally {
    await context.close()
  }
}

function explained(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AppError || error instanceof UsageError || error instanceof ConfigError) return error.message
  return isDatabaseDown(error) ? `MongoDB stopped answering: ${error.message}` : (error.stack ?? error.message)
}
