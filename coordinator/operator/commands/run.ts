import type { CommandLine } from '@placefleet/shared/commands/program'
import { EXIT, type Output, runCommandLine } from '@placefleet/shared/commands/run'
import { ConfigError, type Environment } from '@placefleet/shared/config'
import { AppError } from '../../http/errors.ts'
import { databaseFailure, isDatabaseDown } from '../../mongo/failures.ts'
import type { Operation } from '../operation.ts'
import { agentOperations } from '../operations/agents.ts'
import { creditOperations } from '../operations/credits.ts'
import { exitOperations } from '../operations/exits.ts'
import { jobOperations } from '../operations/jobs.ts'
import { priceOperations } from '../operations/prices.ts'
import { supportOperations } from '../operations/support.ts'
import { taskOperations } from '../operations/tasks.ts'
import { unknownAnswerOperations } from '../operations/unknown-answers.ts'
import { userOperations } from '../operations/users.ts'
import { createContext, type OpsCommand, type OpsContext } from './context.ts'
import { backupCommands } from './database.ts'
import { doctorCommands } from './doctor.ts'
import { eraseCommands } from './erase.ts'
import { keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { secretCommands } from './secrets.ts'

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

const commandsOf = (operations: readonly Operation[]): OpsCommand[] =>
  operations.flatMap(({ command }) => command ?? [])

export const OPS: CommandLine<OpsContext> = {
  name: 'ops',
  about: "The operator's command line (npm run ops -- <command>). Begin with `doctor`.",
  groups: [
    ['users', 'users of the service', commandsOf(userOperations)],
    ['keys', 'API keys', keyCommands],
    ['credits', 'grant and correct credits', commandsOf(creditOperations)],
    ['prices', 'unit prices over time', commandsOf(priceOperations)],
    ['ledger', 'verify the ledger', ledgerCommands],
    ['jobs', 'jobs of all users', commandsOf(jobOperations)],
    ['tasks', 'tasks of the agents', commandsOf(taskOperations)],
    ['agents', 'the fleet', commandsOf(agentOperations)],
    ['exits', 'proxies and addresses of the fleet', commandsOf(exitOperations)],
    ['secrets', 'the key that encrypts secrets', secretCommands],
    ['support', 'support requests', commandsOf(supportOperations)],
  ],
  commands: [...backupCommands, ...eraseCommands, ...doctorCommands, ...commandsOf(unknownAnswerOperations)],
  ending: `Users are named by id or email. --json prints JSON on stdout; errors go to stderr.

Commands use the MongoDB at MONGODB_URL, else the one that runs on the data directory DATA_DIR (./data).

Exit codes: 0 success, 1 the command failed or found a fault, 2 wrong usage.`,
}
