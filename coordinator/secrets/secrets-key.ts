import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '@placefleet/shared/command-line'
import { makeDir } from '@placefleet/shared/private-dir'

const KEY_BYTES = 32

/**
 * The key that secrets at rest are encrypted under: the given one (base64), else the one kept in the data directory,
 * which the first start makes. Coordinators on several hosts must be given the same one.
 * @throws Error when a given or kept key has not 32 bytes.
 */
export function secretsKey(given: string | undefined, dataDir: string): Buffer {
  const key = Buffer.from(given ?? keptKey(dataDir), 'base64')
  if (key.length !== KEY_BYTES)
    throw new Error('SECRETS_KEY must be 32 bytes in base64, e.g. from: openssl rand -base64 32')
  return key
}

function keptKey(dataDir: string): string {
  const file = join(dataDir, 'secrets-key')
  try {
    makeDir(dataDir)
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    if (!isThere) throw cannot(`kept in ${dataDir}`, cause)
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw cannot(`read from ${file}`, cause)
  }
}

function cannot(what: string, cause: unknown): Error {
  return new Error(
    `The secrets key cannot be ${what}: ${reasonOf(cause)}. Set SECRETS_KEY, or DATA_DIR to another one.`,
    {
      cause,
    },
  )
}
