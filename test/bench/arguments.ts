import { parseArgs } from 'node:util'

/** An option with an invalid value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Reads options with whole numbers from 1, whose defaults are given, and options with texts, which may be given again.
 * @throws UsageError, and the errors of `parseArgs` for an unknown option
 */
export function readOptions<Names extends string>(args: string[], counts: Record<Names, number>, texts: string[] = []) {
  const names = Object.keys(counts) as Names[]
  const options = [...names, ...texts].map((name) => [name, { type: 'string', multiple: true }] as const)
  const { values } = parseArgs({ args, options: Object.fromEntries(options) })
  const read = names.map((name) => {
    const count = Number(values[name]?.at(-1) ?? counts[name])
    if (Number.isInteger(count) && count > 0) return [name, count]
    throw new UsageError(`--${name} must be a whole number from 1, not "${values[name]?.at(-1)}"`)
  })
  return { counts: Object.fromEntries(read) as Record<Names, number>, texts: texts.map((name) => values[name]) }
}
