/** An option with an invalid value. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Returns the value of an option, a whole number from 1, or the fallback.
 * @throws UsageError
 */
export function countOption(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new UsageError(`--${name} must be a whole number from 1, not "${text}"`)
}
