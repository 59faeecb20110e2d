import { Placefleet } from '@placefleet/client'
import { type Command, commandsWith } from '@placefleet/shared/commands/command'
import type { Environment } from '@placefleet/shared/config'
import { readCredentials } from './credentials.ts'
import manifest from './package.json' with { type: 'json' }
import type { Terminal } from './terminal.ts'

/** The version of this program. */
export const VERSION: string = manifest.version

/** The URL at which `npm start` serves the API. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** Thrown when no API key is set or stored. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn'
}

/** The environment of a command. */
export type CliContext = {
  env: Environment
  terminal: Terminal
  /** Whether the command prints its data as JSON. */
  asJson: boolean
  /** The address of the service. */
  url: string
  /**
   * Returns the API key of the user.
   * @throws NotLoggedIn.
   */
  apiKey(): string
  /**
   * Returns a client with the API key of the user.
   * @throws NotLoggedIn.
   */
  client(): Placefleet
}

export type CliCommand = Command<CliContext>

export const cliCommand = commandsWith<CliContext>()

/**
 * Creates the context of one command. Environment variables override the settings stored by `login`. A stored key is
 * sent only to the address that it was stored for.
 */
export function createContext(env: Environment, terminal: Terminal, asJson: boolean): CliContext {
  const stored = readCredentials(env)
  const url = (env.PLACEFLEET_URL || stored?.url || DEFAULT_URL).replace(/\/+$/, '')
  const storedKey = stored?.url === url ? stored.api_key : undefined
  const apiKey = (): string => {
    const key = env.PLACEFLEET_API_KEY || storedKey
    if (key) return key
    throw new NotLoggedIn(`There is no API key for ${url}. Run \`placefleet login\`, or set PLACEFLEET_API_KEY.`)
  }
  return { env, terminal, asJson, url, apiKey, client: () => new Placefleet({ url, apiKey: apiKey() }) }
}
