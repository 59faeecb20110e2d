import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@placefleet/shared/config'
import { z } from 'zod'

const Credentials = z.object({ url: z.string(), api_key: z.string() })

/** The key that `login` stored, and its address. */
export type Credentials = z.infer<typeof Credentials>

/** Returns the directory of this program's files. Only its user may read it. */
const configDir = (env: Environment): string =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'placefleet')

const CREDENTIALS = 'credentials.json'

/** Returns the credentials that `login` stored. Undefined when there are none, or when they cannot be read. */
export function readCredentials(env: Environment): Credentials | undefined {
  const text = readStored(env, CREDENTIALS)
  if (text === undefined) return undefined
  try {
    return Credentials.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // a damaged file counts as missing: `login` replaces it
  }
}

/** Stores a key that only this user may read (mode 0600), and returns the path. */
export const storeCredentials = (env: Environment, credentials: Credentials): string =>
  writeStored(env, CREDENTIALS, `${JSON.stringify(credentials, undefined, 2)}\n`)

/** Removes the credentials that `login` stored. */
export const forgetCredentials = (env: Environment): void => rmSync(join(configDir(env), CREDENTIALS), { force: true })

/** Reads one of this program's files. Returns undefined when it does not exist. */
export function readStored(env: Environment, name: string): string | undefined {
  try {
    return readFileSync(join(configDir(env), name), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  }
}

/** Writes one of this program's files atomically, so that only this user may read it. Returns its path. */
export function writeStored(env: Environment, name: string, text: string): string {
  const path = join(configDir(env), name)
  mkdirSync(configDir(env), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
  return path
}
