import { UsageError } from '@placefleet/shared/command-line'
import { z } from 'zod'
import { DEGRADED_MODES } from './modes/degraded.ts'
import { FORM_MODES } from './modes/forms.ts'
import { PAGING_MODES } from './modes/paging.ts'
import { REFUSAL_MODES } from './modes/refusals.ts'

/** When the site asks for consent to cookies. Where the real site has them: sources.ts. */
const CONSENT_MODES = {
  consent: z.boolean().default(false).describe('redirect clients without the SOCS cookie to the consent page'),
  consentElsewhere: z
    .boolean()
    .default(false)
    .describe('serve the consent page on a separate origin, like consent.google.com'),
  decoys: z
    .boolean()
    .default(false)
    .describe('pages contain a hidden consent panel, and scripts with the words /sorry/index and enablejs'),
}

/**
 * The options of the simulated site, set at its start or while it runs (`POST /__sim/options`). Any combination works.
 */
export const SiteOptions = z.strictObject({
  ...REFUSAL_MODES,
  ...DEGRADED_MODES,
  ...PAGING_MODES,
  ...CONSENT_MODES,
  ...FORM_MODES,
})
export type SiteOptions = z.infer<typeof SiteOptions>

const OptionChange = z.strictObject(
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

/** What programs, benchmarks and demos start with: a site whose answers cost as much as those of the real one. */
export const AS_LARGE_AS_REAL = { nodes: 'captured' } as const satisfies Partial<SiteOptions>

/**
 * Reads `name=value` arguments of a command line, and sets `AS_LARGE_AS_REAL` beside them. A value is JSON or plain
 * text.
 * @throws UsageError
 */
export function readSettings(words: readonly string[]): Partial<SiteOptions> {
  const settings = Object.fromEntries(words.map(readSetting))
  const full = SiteOptions.safeParse(settings)
  if (!full.success) throw new UsageError(full.error.issues.map(explainIssue).join('\n'))
  const named = Object.entries(full.data).filter(([name]) => Object.hasOwn(settings, name))
  return { ...AS_LARGE_AS_REAL, ...Object.fromEntries(named) }
}

function explainIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return `--set ${issue.keys.join(', ')}: no such mode; --help lists them`
  return `--set ${issue.path.join('.')}: ${issue.message}`
}

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

/** Returns the help text of all options: name, default and effect, and the words that an option allows. */
export function describeOptions(): string {
  const defaults = new Map<string, unknown>(Object.entries(fullOptions(AS_LARGE_AS_REAL)))
  return [...SCHEMAS]
    .map(([name, schema]) => {
      const inner = schema instanceof z.ZodDefault ? schema.unwrap() : schema
      const words = inner instanceof z.ZodEnum ? `: ${inner.options.join(', ')}` : ''
      return `  ${name} (${JSON.stringify(defaults.get(name))})${words}\n      ${schema.description}`
    })
    .join('\n')
}
