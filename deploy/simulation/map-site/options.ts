import { UsageError } from '@placefleet/shared/command-line'
import { z } from 'zod'
import { CONSENT_MODES } from './modes/consent.ts'
import { DEGRADED_MODES } from './modes/degraded.ts'
import { PAGING_MODES } from './modes/paging.ts'
import { REFUSAL_MODES } from './modes/refusals.ts'
import { VINTAGE_MODES } from './modes/vintages.ts'

/**
 * The options of the simulated site, set at its start or while it runs (`POST /__sim/options`). Any combination works.
 */
export const SiteOptions = z.strictObject({
  ...REFUSAL_MODES,
  ...DEGRADED_MODES,
  ...PAGING_MODES,
  ...CONSENT_MODES,
  ...VINTAGE_MODES,
})
export type SiteOptions = z.infer<typeof SiteOptions>

/** A change to some options. */
export const OptionChange = z.strictObject(
  Object.fromEntries(Object.entries(SiteOptions.shape).map(([name, schema]) => [name, schema.unwrap().optional()])),
)

/**
 * Returns all options: the given ones, and defaults for the rest.
 * @throws ZodError
 */
export const fullOptions = (given: Partial<SiteOptions> = {}): SiteOptions => SiteOptions.parse(given)

/**
 * Returns the options with a change applied.
 * @throws ZodError
 */
export function changedOptions(current: SiteOptions, change: unknown): SiteOptions {
  return SiteOptions.parse({ ...current, ...OptionChange.parse(change) })
}

/** Returns whether a change sets an option about refusals. */
export const changesRefusals = (change: unknown): boolean =>
  Object.keys(Object(change)).some((name) => Object.hasOwn(REFUSAL_MODES, name))

/**
 * Reads `name=value` arguments of a command line. A value is JSON or plain text.
 * @throws UsageError
 */
export function readSettings(settings: readonly string[]): Partial<SiteOptions> {
  const given = Object.fromEntries(settings.map(readSetting))
  const full = SiteOptions.safeParse(given)
  if (!full.success) throw new UsageError(full.error.issues.map(explainIssue).join('\n'))
  return Object.fromEntries(Object.entries(full.data).filter(([name]) => Object.hasOwn(given, name)))
}

const explainIssue = ({ path, message }: z.core.$ZodIssue) => `--set ${path.join('.')}: ${message}`

const SCHEMAS = new Map<string, z.ZodType>(Object.entries(SiteOptions.shape))

function readSetting(setting: string): [name: string, value: unknown] {
  const at = setting.indexOf('=')
  const [name, text] = at < 0 ? [setting, 'true'] : [setting.slice(0, at), setting.slice(at + 1)]
  const isText = SCHEMAS.get(name)?.safeParse(text).success
  return [name, isText ? text : jsonOrText(text)]
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // the schema reports what is wrong
  }
}

/** Returns the help text of all options: name, default and effect. */
export function describeOptions(): string {
  const defaults = new Map<string, unknown>(Object.entries(fullOptions()))
  return [...SCHEMAS]
    .map(([name, { description }]) => `  ${name} (${JSON.stringify(defaults.get(name))})\n      ${description}`)
    .join('\n')
}
