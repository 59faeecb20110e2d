import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Environment = Record<string, string | undefined>

/** Thrown for wrong settings. Its message lists all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  /** One sentence for each fault. */
  readonly faults: readonly string[]

  constructor(message: string, { faults = [message], ...options }: ErrorOptions & { faults?: readonly string[] } = {}) {
    super(message, options)
    this.faults = faults
  }
}

/**
 * Reads the settings of a process from its environment. An empty variable counts as unset. A secret setting that is
 * unset is read from the file that `NAME_FILE` names.
 * @throws ConfigError that names every wrong variable and what it accepts, all at once.
 */
export function readEnv<Shape extends z.ZodRawShape>(shape: Shape, env: Environment): z.infer<z.ZodObject<Shape>> {
  const { values, faults } = withSecretFiles(shape, env)
  const parsed = z.object(shape).safeParse(values)
  const wrong = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const unread = new Set(faults.map((fault) => fault.slice(0, fault.indexOf('_FILE:'))))
  const allFaults = [...faults, ...wrong.filter((fault) => !unread.has(fault.slice(0, fault.indexOf(':'))))]
  if (parsed.success && allFaults.length === 0) return parsed.data
  throw wrongSettings(allFaults)
}

/**
 * Returns the environment for child processes: each `NAME_FILE` variable is replaced by the content of its secret file.
 * @throws ConfigError that names every file that cannot be read.
 */
export function readSecretFiles(shape: z.ZodRawShape, env: Environment): Environment {
  const { values, faults } = withSecretFiles(shape, env)
  if (faults.length > 0) throw wrongSettings(faults)
  return values
}

/**
 * Calls several readers of settings.
 * @throws ConfigError with the faults that any of them found, each fault once.
 */
export function checkSettings(...readers: (() => unknown)[]): void {
  const faults = new Set(readers.flatMap(faultsOf))
  if (faults.size > 0) throw wrongSettings([...faults])
}

/** Returns whether `NAME_FILE` may name a file with the value of this setting (see `secret`). */
export const isSecret = (schema: z.core.$ZodType): boolean => z.globalRegistry.get(schema)?.secret === true

function withSecretFiles(shape: z.ZodRawShape, env: Environment): { values: Environment; faults: string[] } {
  const values = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const faults: string[] = []
  for (const [name, schema] of Object.entries(shape)) {
    const path = isSecret(schema) ? values[`${name}_FILE`] : undefined
    if (path === undefined) continue
    delete values[`${name}_FILE`]
    try {
      if (values[name] !== undefined) throw new Error(`${name} is set as well. Unset one of them`)
      values[name] = readSecret(path)
    } catch (error) {
      faults.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { values, faults }
}

/** Returns the content of a secret file without the line break that editors and `echo` add. */
function readSecret(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
    throw new Error(`${path} cannot be read${code}`, { cause })
  }
  if (text === '') throw new Error(`${path} is empty`)
  return text
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
