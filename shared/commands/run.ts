import { CommanderError } from 'commander'
import { UsageError } from '../command-line.ts'
import { type CommandLine, createProgram } from './program.ts'

/** The exit codes that mean the same in all our command lines. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Where a command line writes data and errors. */
export type Output = { out(text: string): void; err(text: string): void }

export type RunOptions<Context> = Output & {
  /** The context of one run; asked for once, before the command. */
  contextFor(asJson: boolean): Context
  /** The exit code after a report that found a fault. */
  faultCode: number
  /** What to say about an error of a command, and the exit code. */
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
        out(`${asJson ? JSON.stringify(report.data, undefined, 2) : report.text}\n`)
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
