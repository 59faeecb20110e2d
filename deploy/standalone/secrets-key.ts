import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '@placefleet/shared/command-line'

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
