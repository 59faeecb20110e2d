import { z } from 'zod'
import { UsageError } from '../command-line.ts'

/** The result of a command, for programs and for people. */
export type Report = {
  data: unknown
  text: string
  /** Set when the command ran but found a fault. The exit code reports it. */
  failed?: boolean
}

type Spec<Context, Options extends z.ZodObject> = {
  /** The words of the command, e.g. `users create`. */
  words: string
  about: string
  /** The positional option, e.g. the job of `jobs show <job>`. A list takes all following words. */
  argument?: keyof z.infer<Options> & string
  /** Whether the group runs this command by default. */
  isDefault?: boolean
  /** The options. `job_start` becomes `--job-start`. The help shows their descriptions. */
  options: Options
  /** Runs the command. A command that returns nothing has printed its output itself. */
  run(context: Context, options: z.infer<Options>): Promise<Report | undefined>
}

/** A command of a command line. `run` takes the given values by option. */
export type Command<Context> = Pick<Spec<Context, z.ZodObject>, 'words' | 'about' | 'isDefault' | 'options'> & {
  argument?: string
  /** @throws UsageError when an option is wrong. */
  run(context: Context, given: Record<string, unknown>): Promise<Report | undefined>
}

/**
 * Returns the function that creates the commands of one command line. Their options are checked by their zod schemas,
 * so that `run` is typed and every wrong option is reported at once.
 */
export const commandsWith =
  <Context>() =>
  <Options extends z.ZodObject>(spec: Spec<Context, Options>): Command<Context> => {
    const { run, argument, ...parts } = spec
    return {
      ...parts,
      ...(argument === undefined ? {} : { argument }),
      run: async (context, given) => run(context, parsed(spec.options, given, argument)),
    }
  }

export const flagOf = (option: string): string => `--${option.replaceAll('_', '-')}`

function parsed<Options extends z.ZodObject>(
  options: Options,
  given: Record<string, unknown>,
  argument: string | undefined,
): z.infer<Options> {
  const read = options.safeParse(given)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => {
    const option = String(path[0])
    return `${option === argument ? `<${option}>` : flagOf(option)}: ${message}`
  })
  throw new UsageError(faults.join('\n'))
}

/** Returns the placeholder of an option's value and its description, for the help. */
export const shownAs = (value: string, description: string) => ({ value, description })

/** An option that is a flag without a value. */
export const switchOption = (description: string) => z.boolean().optional().meta(shownAs('', description))

export const idOption = (description: string) => z.uuid('is not a UUID').meta(shownAs('id', description))

/** The option for the number of items to list. */
export const limitOption = (fallback: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 99999')
    .transform(Number)
    .default(fallback)
    .meta(shownAs('count', `maximum number of items (default ${fallback})`))
