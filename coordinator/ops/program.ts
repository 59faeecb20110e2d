import { Command, Option, type OutputConfiguration } from 'commander'
import { z } from 'zod'
import { flagOf, type OpsCommand } from './command.ts'
import { agentCommands } from './commands/agents.ts'
import { creditCommands } from './commands/credits.ts'
import { doctorCommands } from './commands/doctor.ts'
import { jobCommands } from './commands/jobs.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { migrateCommands } from './commands/migrate.ts'
import { priceCommands } from './commands/prices.ts'
import { secretCommands } from './commands/secrets.ts'
import { supportCommands } from './commands/support.ts'
import { taskCommands } from './commands/tasks.ts'
import { userCommands } from './commands/users.ts'

const GROUPS: [name: string, about: string, commands: OpsCommand[]][] = [
  ['users', 'users of the service', userCommands],
  ['keys', 'API keys', keyCommands],
  ['credits', 'grant and correct credits', creditCommands],
  ['prices', 'unit prices over time', priceCommands],
  ['ledger', 'verify the ledger', ledgerCommands],
  ['jobs', 'jobs of all users', jobCommands],
  ['tasks', 'tasks of the agents', taskCommands],
  ['agents', 'the fleet', agentCommands],
  ['migrate', 'the schema of the database', migrateCommands],
  ['secrets', 'the key that encrypts secrets', secretCommands],
  ['support', 'support requests', supportCommands],
]

const ENDING = `
Users are named by id or email. --json prints JSON on stdout; errors go to stderr.

Commands use the MongoDB at MONGODB_URL, else the one that runs on the data directory DATA_DIR (./data).

Exit codes: 0 success, 1 the command failed or found a fault, 2 wrong usage.`

/** Runs a command with the given option values. */
export type Act = (command: OpsCommand, given: Record<string, unknown>, asJson: boolean) => Promise<void>

/** Creates the command line. It throws commander's errors instead of ending the process. */
export function createProgram(act: Act, output: OutputConfiguration): Command {
  const program = new Command('ops')
    .configureOutput(output)
    .description("The operator's command line.")
    .exitOverride()
    .usage('<command> …')
  program.addHelpText('afterAll', ENDING).showHelpAfterError('(see --help for the usage)')
  for (const [name, about, commands] of GROUPS) {
    const group = program.command(name).description(about)
    for (const command of commands) add(group, command, act)
  }
  for (const command of doctorCommands) add(program, command, act)
  return program
}

function add(parent: Command, spec: OpsCommand, act: Act): void {
  const { argument, options, about } = spec
  const command = parent.command(spec.words.split(' ').at(-1) ?? '').description(about)
  const flags = Object.entries(options.shape)
    .filter(([name]) => name !== argument)
    .map(([name, schema]) => ({ name, flag: flagFor(name, schema) }))
  if (argument !== undefined) command.argument(`<${argument}>`, helpOf(options.shape[argument]).description)
  for (const { flag } of flags) command.addOption(flag)
  command.option('--json', 'print JSON').action(async (...written: unknown[]) => {
    const values = command.opts()
    const given = Object.fromEntries(flags.map(({ name, flag }) => [name, values[flag.attributeName()]]))
    await act(spec, argument === undefined ? given : { ...given, [argument]: written[0] }, values.json === true)
  })
}

function flagFor(name: string, schema: z.core.$ZodType): Option {
  const { value, description } = helpOf(schema)
  if (z.safeParse(schema, true).success) return new Option(flagOf(name), description) // a switch, without a value
  const required = !z.safeParse(schema, undefined).success
  return new Option(`${flagOf(name)} <${value}>`, description).makeOptionMandatory(required)
}

/** Returns the help of an option; see `shownAs`. */
function helpOf(schema: z.core.$ZodType | undefined): { value: string; description: string } {
  if (schema === undefined) return { value: 'value', description: '' }
  const { value, description = '' } = z.globalRegistry.get(schema) ?? {}
  if (typeof value === 'string') return { value, description }
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : undefined
  return helpOf(wrapped)
}
