import { UsageError } from '@placefleet/shared/command-line'
import type { Environment } from '@placefleet/shared/config'
import { ConfigError } from '@placefleet/shared/config'
import { CommanderError } from 'commander'
import { AppError } from '../http/errors.ts'
import { isDatabaseDown } from '../mongo/failures.ts'
import { createContext } from './context.ts'
import { createProgram } from './program.ts'

/** How a command ended. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Runs the operator's command line with its arguments, and gives the exit code. What goes wrong is said on stderr. */
export async function runOps(args: string[], env: Environment): Promise<number> {
  const context = createContext(env)
  let failed = false
  try {
    const program = createProgram(async (command, given, asJson) => {
      const report = await command.run(context, given)
      console.log(asJson ? JSON.stringify(report.data, undefined, 2) : report.text)
      failed = report.failed === true
    })
    await program.parseAsync(args, { from: 'user' })
    return failed ? EXIT.failed : EXIT.done
  } catch (error) {
    // Commander has said what is wrong itself, and ends this way after --help, too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    console.error(`error: ${explained(error)}`)
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
