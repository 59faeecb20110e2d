import { z } from 'zod'
import { ConfigError } from './config-error.ts'
import { parseAllowHosts } from './egress/target.ts'
import { natsServers } from './nats.ts'

/**
 * Reads the settings a process needs from its environment. An empty variable counts as unset.
 * @throws ConfigError that names every variable that is wrong and what it takes, in one go.
 */
export function readEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Record<string, string | undefined>,
): z.infer<z.ZodObject<Shape>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = z.object(shape).safeParse(given)
  if (parsed.success) return parsed.data
  throw wrongSettings(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
}

/**
 * Calls readers of settings, of all that one start will run.
 * @throws ConfigError that names what any of them finds wrong, each fault once.
 */
export function checkSettings(...readers: (() => unknown)[]): void {
  const faults = new Set(readers.flatMap(faultsOf))
  if (faults.size > 0) throw wrongSettings([...faults])
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

function wrongSettings(faults: readonly string[]): ConfigError {
  const lines = faults.map((fault) => `  ${fault}`)
  return new ConfigError(`The environment has ${faults.length} wrong setting(s):\n${lines.join('\n')}`, { faults })
}

/** How much is logged. */
export const logLevelSetting = () =>
  z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info')

/** The address of a MongoDB. An @ that comes too late divides a password, whose end would be shown as something else. */
export const mongoUrlSetting = () =>
  z
    .string({
      error: 'is not set: it is where MongoDB is, e.g. mongodb://host:27017; `npm run services` starts one here',
    })
    .regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://')
    .regex(
      /^(?![^@/?#]*:\/\/[^@/?#]*[/?#].*@)/,
      'must have special characters of its password percent-encoded (%2F for /)',
    )

/** The address of a NATS, or several of one cluster. */
export const natsUrlSetting = () =>
  z
    .string({ error: 'is not set: it is where NATS is, e.g. nats://host:4222; `npm run services` starts one here' })
    .superRefine(readableBy(natsServers))

/** A whole number between two bounds, with the value that stands when the variable is unset. */
export const integerSetting = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .default(fallback)

/** A TCP port; 0 lets the system choose. */
export const portSetting = (fallback: number) => integerSetting(fallback, { max: 65_535 })

/** A TCP port, or none when the variable is unset. */
export const optionalPortSetting = () =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port')
    .optional()

/** An http(s) URL without a trailing slash. */
export const urlSetting = () =>
  z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).transform((url) => url.replace(/\/+$/, ''))

/** Hosts that are exempt from the private-network rule: for tests and home labs, none by default. */
export const allowHostsSetting = () =>
  z.string().default('').superRefine(readableBy(parseAllowHosts)).transform(parseAllowHosts)

/** A check that passes what `read` can read; its fault is what that throws. */
function readableBy(read: (text: string) => unknown) {
  return (text: string, context: z.RefinementCtx<string>): void => {
    try {
      read(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is wrong' })
    }
  }
}
