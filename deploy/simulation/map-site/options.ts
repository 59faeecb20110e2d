import { UsageError } from '@placefleet/shared/command-line'
import { parsedJson } from '@placefleet/shared/text'
import { z } from 'zod'
import { MODES } from './modes.ts'

/** The options of the simulated site, set at its start or while it runs (`POST /__sim/options`). */
export const SiteOptions = z.strictObject(MODES)
export type SiteOptions = z.infer<typeof SiteOptions>

const OptionChange = z.strictObject(
  Object.fromEntries(Object.entries(MODES).map(([name, schema]) => [name, schema.unwrap().optional()])),
)

/**
 * Returns the options with a change applied.
 * @throws ZodError
 */
export const changedOptions = (current: SiteOptions, change: unknown): SiteOptions =>
  SiteOptions.parse({ ...current, ...OptionChange.parse(change) })

/** What programs, benchmarks and demos start with: a site whose answers cost as much as those of the real one. */
export const AS_LARGE_AS_REAL = { nodes: 'captured' } as const satisfies Partial<SiteOptions>

/**
 * Reads `name=value` arguments of a command line, and sets `AS_LARGE_AS_REAL` beside them. A value is JSON or plain
 * text.
 * @throws UsageError
 */
export function readSettings(words: readonly string[]): SiteOptions {
  const settings = Object.fromEntries(words.map(readSetting))
  const full = SiteOptions.safeParse({ ...AS_LARGE_AS_REAL, ...settings })
  if (!full.success) throw new UsageError(full.error.issues.map(explainIssue).join('\n'))
  return full.data
}

function explainIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return `--set ${issue.keys.join(', ')}: no such mode; --help lists them`
  return `--set ${issue.path.join('.')}: ${issue.message}`
}

const SCHEMAS = Object.entries(MODES)

function readSetting(setting: string): [name: string, value: unknown] {
  const at = setting.indexOf('=')
  const [name, text] = at < 0 ? [setting, 'true'] : [setting.slice(0, at), setting.slice(at + 1)]
  const isText = SCHEMAS.some(([known, schema]) => known === name && schema.safeParse(text).success)
  return [name, isText ? text : (parsedJson(text) ?? text)]
}

/** Returns the help text of all options: name, default and effect, and where the real site has it. */
export function describeOptions(): string {
  const defaults = new Map<string, unknown>(Object.entries(SiteOptions.parse(AS_LARGE_AS_REAL)))
  return SCHEMAS.map(([name, schema]) => {
    const inner = schema.unwrap()
    const words = inner instanceof z.ZodEnum ? `: ${inner.options.join(', ')}` : ''
    const { description, source } = schema.meta() ?? {}
    return `  ${name} (${JSON.stringify(defaults.get(name))})${words}\n      ${description}\n      seen: ${source}`
  }).join('\n')
}
