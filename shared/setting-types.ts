// The types of settings: the accepted values of an environment variable, and the parsed value.
import { z } from 'zod'
import { parseAllowHosts } from './egress/target.ts'
import { natsServers } from './nats.ts'

/** Marks a setting as secret: it can also be read from the file that `NAME_FILE` names (see `readEnv`). */
export const secret = (description: string) => ({ description, secret: true })

/** A setting for the lowest level of log lines. */
export const logLevelSetting = () =>
  z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('the lowest level of log lines on stderr: trace, debug, info, warn, error, fatal or silent')

/**
 * A setting for the address of MongoDB. An `@` after the first `/` is refused: part of the password would be read as
 * the database.
 */
export const mongoUrlSetting = () =>
  z
    .string({
      error:
        'is not set. Set it to the address of MongoDB, e.g. mongodb://host:27017; `npm run services` starts one here',
    })
    .regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://')
    .regex(
      /^(?![^@/?#]*:\/\/[^@/?#]*[/?#].*@)/,
      'must have special characters of its password percent-encoded (%2F for /)',
    )

/** A setting for the address of NATS, or several addresses of one cluster. */
export const natsUrlSetting = () =>
  z
    .string({
      error: 'is not set. Set it to the address of NATS, e.g. nats://host:4222; `npm run services` starts one here',
    })
    .superRefine(readableBy(natsServers))

/** A setting for a whole number between two bounds, with a default. */
export const integerSetting = (fallback: number, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
    .default(fallback)

/** A setting for a TCP port; 0 lets the system choose. */
export const portSetting = (fallback: number) => integerSetting(fallback, { max: 65_535 })

/** A setting for a TCP port; `undefined` when the variable is unset. */
export const optionalPortSetting = () =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port')
    .optional()

/** A setting for an http(s) URL without a trailing slash. */
export const urlSetting = () =>
  z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).transform((url) => url.replace(/\/+$/, ''))

/** Hosts that are exempt from the private-network rule; none by default. */
export const allowHostsSetting = () =>
  z.string().superRefine(readableBy(parseAllowHosts)).transform(parseAllowHosts).prefault('')

/** Returns a check that accepts every text that `read` accepts, and reports the message that `read` throws. */
function readableBy(read: (text: string) => unknown) {
  return (text: string, context: z.RefinementCtx<string>): void => {
    try {
      read(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is wrong' })
    }
  }
}
