/** A setting that is wrong, or several: one message that lists them all. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[]

  constructor(message: string, { faults = [message], ...options }: ErrorOptions & { faults?: readonly string[] } = {}) {
    super(message, options)
    this.faults = faults
  }
}
