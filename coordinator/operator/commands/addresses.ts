import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, type Environment, readSecretFiles } from '@placefleet/shared/config'
import { COORDINATOR_SETTINGS } from '../../config.ts'
import { decodeSecretsKey } from '../../secrets/secret-box.ts'

/** The address of a server, and the source of the address. */
export type Address = { url: string; from: string }

// `npm start` and `npm run services` write the addresses of their servers and their key to these files.
const FILES = { MONGODB_URL: 'mongodb-url', NATS_URL: 'nats-url', SECRETS_KEY: 'secrets-key' } as const

/**
 * Returns the address of a server from the environment, else of the server that runs on the data directory.
 * @throws ConfigError that says how to set it when neither exists.
 */
export function addressOf(name: 'MONGODB_URL' | 'NATS_URL', env: Environment): Address {
  const { value: url, from } = keptIn(name, env)
  return { url, from }
}

/**
 * Returns the key of the deployment from the environment, else from the data directory.
 * @throws ConfigError that says how to set it when neither exists, Error when it is no key.
 */
export const secretsKeyOf = (env: Environment): Buffer => decodeSecretsKey(keptIn('SECRETS_KEY', env).value)

function keptIn(name: keyof typeof FILES, env: Environment): { value: string; from: string } {
  const setting = readSecretFiles({ [name]: COORDINATOR_SETTINGS[name] }, env)[name]
  if (setting) return { value: setting, from: name }
  const file = join(dataDirOf(env), FILES[name])
  const value = contentOf(file)
  if (value) return { value, from: file }
  throw new ConfigError(
    `${name} is not set, and ${file} does not exist. Set ${name}, or set DATA_DIR to the data directory of a running ` +
      '`npm start` or `npm run services`.',
  )
}

/** Returns the data directory whose servers are used when the environment has no addresses. */
export const dataDirOf = (env: Environment): string => resolve(env.DATA_DIR || './data')

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR'))
      return undefined
    throw new ConfigError(`${file} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
