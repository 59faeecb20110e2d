import { UsageError } from '@placefleet/shared/command-line'
import type { z } from 'zod'
import type { OpsContext } from './context.ts'

/** The result of a command, for programs and for people. */
export type Report = {
  data: unknown
  text: string
  /** The command ran and found a fault: the exit code is 1. */
  failed?: boolean
}

type Spec<Options extends z.ZodObject> = {
  /** The words of the command, e.g. `users create`. */
  words: string
  about: string
  /** The option given without its name, e.g. the job of `jobs show <job>`. */
  argument?: keyof z.infer<Options> & string
  /** The options. `job_start` becomes `--job-start`. The help shows their descriptions. */
  options: Options
  run(context: OpsContext, options: z.infer<Options>): Promise<Report>
}

/** A command of the operator's command line. `run` takes the given values by option. */
export type OpsCommand = Pick<Spec<z.ZodObject>, 'words' | 'about' | 'options'> & {
  argument?: string
  /** @throws UsageError when an option is wrong. */
  run(context: OpsContext, given: Record<string, unknown>): Promise<Report>
}

/**
 * Creates a command whose options are checked by their zod schemas, so that `run` is typed and every wrong option is
 * reported at once.
 */
export function opsCommand<Options extends z.ZodObject>(spec: Spec<Options>): OpsCommand {
  const { run, argument, ...parts } = spec
  return {
    ...parts,
    ...(argument === undefined ? {} : { argument }),
    run: async (context, given) => run(context, parsed(spec.options, given, argument)),
  }
}

/** The flag of an option. */
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
