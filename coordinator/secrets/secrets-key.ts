import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString('base64'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readFileSync(file, 'utf8').trim()
}
