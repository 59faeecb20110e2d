import { Command, Option, type OutputConfiguration } from 'commander'
import { z } from 'zod'
import { flagOf, type OpsCommand } from './command.ts'
import { agentCommands } from './commands/agents.ts'
import { creditCommands } from './commands/credits.ts'
import { doctorCommands } from './commands/doctor.ts'
import { jobCommands } from './commands/jobs.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { priceCommands } from './commands/prices.ts'
import { supportCommands } from './commands/support.ts'
import { taskCommands } from './commands/tasks.ts'
import { userCommands } from './commands/users.ts'

const GROUPS: [name: string, about: string, commands: OpsCommand[]][] = [
  ['users', 'who may use the service', userCommands],
  ['keys', 'API keys', keyCommands],
  ['credits', 'give and correct credits', creditCommands],
  ['prices', 'unit prices over time', priceCommands],
  ['ledger', 'check the books', ledgerCommands],
  ['jobs', 'jobs of all users', jobCommands],
  ['tasks', 'what agents work on', taskCommands],
  ['agents', 'the fleet', agentCommands],
  ['support', 'what users ask', supportCommands],
]

const ENDING = `
Users are named by id or email. With --json the answer is JSON on stdout; errors are on stderr.

It works on the MongoDB at MONGODB_URL; unset, on the one that runs on the data directory DATA_DIR (./data).

Exit codes: 0 done, 1 it failed or what was checked is wrong, 2 the command is written wrongly.`

/** Runs a command with what was given to it by option. */
export type Act = (command: OpsCommand, given: Record<string, unknown>, asJson: boolean) => Promise<void>

/** The command line. It throws commander's errors instead of ending the process. */
export function createProgram(act: Act, output: OutputConfiguration): Command {
  const program = new Command('ops')
    .configureOutput(output)
    .description("The operator's command line.")
    .exitOverride()
    .usage('<command> …')
  program.addHelpText('afterAll', ENDING).showHelpAfterError('(--help shows how it is written)')
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
  command.option('--json', 'answer as JSON').action(async (...written: unknown[]) => {
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

/** What an option's schema says of it, see `shownAs`. */
function helpOf(schema: z.core.$ZodType | undefined): { value: string; description: string } {
  if (schema === undefined) return { value: 'value', description: '' }
  const { value, description = '' } = z.globalRegistry.get(schema) ?? {}
  if (typeof value === 'string') return { value, description }
  const wrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? schema.unwrap() : undefined
  return helpOf(wrapped)
}
