import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
export const keptSecretsKey = (dataDir: string): string =>
  keptSecret({ file: join(dataDir, 'secrets-key'), what: 'the secrets key', setting: 'SECRETS_KEY' }, 'base64')

/** Returns the token in the data directory that agents share, for `npm run services`. The first start creates it. */
export const keptAgentToken = (dataDir: string): string =>
  keptSecret({ file: join(dataDir, 'agent-token'), what: "the agents' token", setting: 'AGENT_TOKEN' }, 'base64url')

type KeptSecret = { file: string; what: string; setting: string }

function keptSecret({ file, what, setting }: KeptSecret, encoding: 'base64' | 'base64url'): string {
  const failure = (doing: string, cause: unknown) =>
    new Error(`Cannot ${doing} ${file}: ${reasonOf(cause)}. Set ${setting}, or set DATA_DIR to another directory.`, {
      cause,
    })
  try {
    writeFileSync(file, randomBytes(KEY_BYTES).toString(encoding), { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    if (!exists) throw failure(`write ${what} to`, cause)
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw failure(`read ${what} from`, cause)
  }
}

/** The API key of the first user. `made`: this start created it. */
export type FirstKey = { key: string; file: string; made: boolean }

/**
 * Reads the key from the data directory. The first start writes it there (mode 0600): `given`, else a new one. The file
 * is written before the database has the key, so that a start that dies in between does not lose it.
 */
export function firstKey(dataDir: string, setting: string | undefined): FirstKey {
  const file = join(dataDir, 'api-key')
  try {
    const key = setting ?? generateApiKey()
    writeFileSync(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
    return { key, file, made: true }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    return { key: setting ?? readFileSync(file, 'utf8').trim(), file, made: false }
  }
}

/**
 * Says where the API key of the first start is. Only a terminal shows the key itself: other outputs may be stored logs,
 * and the key never expires.
 */
export const keyInstructions = ({ key, file }: FirstKey, isTerminal: boolean): string =>
  isTerminal ? `Your API key: ${key}\nIt is kept in ${file}` : `Your API key is in ${file}`

type SignInOutput = { dataDir: string; life: Lifecycle; isTerminal: boolean }

/**
 * Says how to sign in to the console. A terminal shows the link itself. Other outputs may be stored logs, so there the
 * link goes to a file that only its owner can read. The file is deleted when the process stops.
 */
export function signInInstructions(
  { url, expires_at }: SignInLink,
  { dataDir, life, isTerminal }: SignInOutput,
): string {
  const rule = `It works once, until ${expires_at.toISOString()}; another one: ${linkCommand(dataDir)}`
  if (isTerminal) return `Sign in to the console: ${url}\n${rule}`
  const file = join(dataDir, 'sign-in-link')
  rmSync(file, { force: true }) // of a start that died
  writeFileSync(file, `${url}\n`, { flag: 'wx', mode: 0o600 })
  life.own('sign-in link', file, (path) => rmSync(path, { force: true }))
  return `A link to sign in to the console is in ${file}\n${rule}`
}

/** Returns the command that creates another link. It needs the data directory unless that is the default one. */
function linkCommand(dataDir: string): string {
  const command = 'npm run ops -- users sign-in-link'
  if (dataDir === resolve('data')) return command
  return `DATA_DIR='${dataDir.replaceAll("'", "'\\''")}' ${command}`
}
