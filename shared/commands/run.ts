import { CommanderError } from 'commander'
import { UsageError } from '../command-line.ts'
import { type CommandLine, createProgram } from './program.ts'
import { harmlessJson } from './table.ts'

/** The exit codes that all our command lines share. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** The outputs of a command line, for data and errors. */
export type Output = { out(text: string): void; err(text: string): void }

export type RunOptions<Context> = Output & {
  /** Creates the context of one run. Called once, before the command. */
  contextFor(asJson: boolean): Context
  /** The exit code after a report that found a fault. */
  faultCode: number
  explain(error: unknown): { text: string; exitCode: number }
}

/** Runs a command line with its arguments and returns the exit code. Reports go to `out`, errors to `err`. */
export async function runCommandLine<Context>(
  line: CommandLine<Context>,
  args: string[],
  { out, err, contextFor, faultCode, explain }: RunOptions<Context>,
): Promise<number> {
  let failed = false
  try {
    const program = createProgram(
      line,
      async (command, given, asJson) => {
        const report = await command.run(contextFor(asJson), given)
        if (!report) return
        out(`${asJson ? harmlessJson(report.data) : report.text}\n`)
        failed = report.failed === true
      },
      { writeOut: out, writeErr: err },
    )
    await program.parseAsync(args, { from: 'user' })
    return failed ? faultCode : EXIT.done
  } catch (error) {
    // Commander printed the error. It also throws after --help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const { text, exitCode } =
      error instanceof UsageError ? { text: error.message, exitCode: EXIT.usage } : explain(error)
    err(`error: ${text}\n`)
    return exitCode
  }
}
