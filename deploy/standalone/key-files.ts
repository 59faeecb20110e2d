import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@placefleet/coordinator/accounts/key-format'
import type { SignInLink } from '@placefleet/coordinator/auth/links'
import { reasonOf } from '@placefleet/shared/command-line'
import type { Lifecycle } from '@placefleet/shared/lifecycle'

const KEY_BYTES = 32

/**
 * Returns the secrets key in the data directory, in base64. The first start creates it. Coordinators on their own need
 * the setting SECRETS_KEY instead.
 * @throws Error for the operator when the key cannot be written or read.
 */
export function keptSecretsKey(dataDir: string): string {
  const file = join(dataDir, 'secrets-key')
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    if (!exists) throw failure(`write the secrets key to ${file}`, cause)
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw failure(`read the secrets key from ${file}`, cause)
  }
}

const failure = (what: string, cause: unknown): Error =>
  new Error(`Cannot ${what}: ${reasonOf(cause)}. Set SECRETS_KEY, or set DATA_DIR to another directory.`, { cause })

/** The API key of the first user. `made`: this start created it. */
export type FirstKey = { key: string; file: string; made: boolean }

/**
 * Reads the key from the data directory. The first start writes it there (mode 0600): `given`, else a new one. The file
 * is written before the database has the key, so that a start that dies in between does not lose it.
 */
export function firstKey(dataDir: string, given: string | undefined): FirstKey {
  const file = join(dataDir, 'api-key')
  try {
    const key = given ?? generateApiKey()
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
    return { key, file, made: true }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return { key: given ?? readFileSync(file, 'utf8').trim(), file, made: false }
  }
}

export type SignInOutput = { dataDir: string; life: Lifecycle; isTerminal: boolean }

/**
 * Says how to sign in to the console. A terminal shows the link itself. Other outputs may be stored logs, so there the
 * link goes to a file that only its owner can read. The file is deleted when the process stops.
 */
export function signInInstructions(
  { url, expires_at }: SignInLink,
  { dataDir, life, isTerminal }: SignInOutput,
): string {
  const rule = `It works once, until ${expires_at.toISOString()}; another one: npm run ops -- users sign-in-link`
  if (isTerminal) return `Sign in to the console: ${url}\n${rule}`
  const file = join(dataDir, 'sign-in-link')
  rmSync(file, { force: true }) // of a start that died
  writeFileSync(file, `${url}\n`, { flag: 'wx', mode: 0o600 })
  life.own('sign-in link', file, (path) => rmSync(path, { force: true }))
  return `A link to sign in to the console is in ${file}\n${rule}`
}
