import tab from '@bomb.sh/tab/commander'
import { Command as CommanderCommand, Option, type OutputConfiguration } from 'commander'
import { z } from 'zod'
import { type Command, flagOf } from './command.ts'

/** A command line: groups of commands, and commands without a group. */
export type CommandLine<Context> = {
  name: string
  about: string
  /** What `--version` prints. Without it there is no such option. */
  version?: string
  groups: readonly (readonly [name: string, about: string, commands: readonly Command<Context>[]])[]
  commands: readonly Command<Context>[]
  /** The last lines of each help. */
  ending: string
}

/** Runs a command with the given option values. */
export type Act<Context> = (command: Command<Context>, given: Record<string, unknown>, asJson: boolean) => Promise<void>

/** Creates the parser of a command line. It throws commander's errors instead of ending the process. */
export function createProgram<Context>(
  { name, about, version, groups, commands, ending }: CommandLine<Context>,
  act: Act<Context>,
  output: OutputConfiguration,
): CommanderCommand {
  const program = new CommanderCommand(name)
    .configureOutput(output)
    .description(about)
    .exitOverride()
    .usage('<command> …')
  if (version !== undefined) program.version(version)
  program.addHelpText('afterAll', `\n${ending}`).showHelpAfterError('(see --help for the usage)')
  for (const command of commands) add(program, command, act)
  for (const [group, description, members] of groups) {
    const parent = program.command(group).description(description)
    for (const command of members) add(parent, command, act)
  }
  const completion = 'completion'
  tab(program, { completionCommandName: completion })
  program.commands.find((command) => command.name() === completion)?.description('complete this command in a shell')
  return program
}

function add<Context>(parent: CommanderCommand, spec: Command<Context>, act: Act<Context>): void {
  const { argument, options, about, isDefault = false } = spec
  const command = parent.command(spec.words.split(' ').at(-1) ?? '', { isDefault }).description(about)
  const flags = Object.entries(options.shape)
    .filter(([name]) => name !== argument)
    .map(([name, schema]) => ({ name, flag: flagFor(name, schema) }))
  if (argument !== undefined) addArgument(command, argument, options.shape[argument])
  for (const { flag } of flags) command.addOption(flag)
  command.option('--json', 'print JSON').action(async (...written: unknown[]) => {
    const values = command.opts()
    const given = Object.fromEntries(flags.map(({ name, flag }) => [name, optionValue(flag, values)]))
    await act(spec, argument === undefined ? given : { ...given, [argument]: written[0] }, values.json === true)
  })
}

/** Returns the value of an option. commander sets `phone` to false for `--no-phone`, and to true without it. */
function optionValue(flag: Option, values: Readonly<Record<string, unknown>>): unknown {
  const value = values[flag.attributeName()]
  if (!flag.negate) return value
  return value === false ? true : undefined
}

function addArgument(command: CommanderCommand, name: string, schema: z.core.$ZodType | undefined): void {
  const written = schema instanceof z.ZodArray ? `${name}...` : name
  const isOptional = schema !== undefined && z.safeParse(schema, []).success
  command.argument(isOptional ? `[${written}]` : `<${written}>`, helpOf(schema).description)
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
