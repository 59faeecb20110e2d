import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@placefleet/coordinator/accounts/key-format'

/** The API key of the first user. `made`: this start created it. */
export type FirstKey = { key: string; file: string; made: boolean }

/**
 * Reads the key from the data directory. The first start writes it there (mode 0600): `given`, else a new one. The file is
 * written before the database has the key, so that a start that dies in between does not lose it.
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
