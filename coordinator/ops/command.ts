import { UsageError } from '@placefleet/shared/command-line'
import type { z } from 'zod'
import type { OpsContext } from './context.ts'

/** What a command found out: the same for programs and for people. */
export type Report = {
  data: unknown
  text: string
  /** It was done, and what it looked for is wrong: the exit code is 1. */
  failed?: boolean
}

type Spec<Options extends z.ZodObject> = {
  /** What it is called by, e.g. `users create`. */
  words: string
  about: string
  /** The option that is written without its name, e.g. the job of `jobs show <job>`. */
  argument?: keyof z.infer<Options> & string
  /** What may be given, as text: `job_start` is `--job-start`. The descriptions are shown in the help. */
  options: Options
  run(context: OpsContext, options: z.infer<Options>): Promise<Report>
}

/** A command of the operator's command line. `run` takes what was written, by option. */
export type OpsCommand = Pick<Spec<z.ZodObject>, 'words' | 'about' | 'options'> & {
  argument?: string
  /** @throws UsageError when an option is wrong. */
  run(context: OpsContext, given: Record<string, unknown>): Promise<Report>
}

/** Makes a command of its parts. */
export function opsCommand<Options extends z.ZodObject>(spec: Spec<Options>): OpsCommand {
  const { run, argument, ...parts } = spec
  return {
    ...parts,
    ...(argument === undefined ? {} : { argument }),
    run: async (context, given) => run(context, parsed(spec.options, given, argument)),
  }
}

/** How an option is written. */
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
