import { createClient, type PlacefleetClient } from '@placefleet/client'
import { type Command, commandsWith } from '@placefleet/shared/commands/command'
import type { Environment } from '@placefleet/shared/config'
import { readCredentials } from './credentials.ts'
import type { Terminal } from './terminal.ts'

/** Where `npm start` serves the API. */
export const DEFAULT_URL = 'http://127.0.0.1:8080'

/** No API key is known. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn'
}

/** The environment of a command. */
export type CliContext = {
  env: Environment
  terminal: Terminal
  /** Whether the command's data is wanted as JSON. */
  asJson: boolean
  /** The address of the service. */
  url: string
  /**
   * The API key of the person who logged in.
   * @throws NotLoggedIn.
   */
  apiKey(): string
  /**
   * The client of the person who logged in.
   * @throws NotLoggedIn.
   */
  client(): PlacefleetClient
}

export type CliCommand = Command<CliContext>

/** Creates a command of `placefleet`. */
export const cliCommand = commandsWith<CliContext>()

/**
 * Creates the context of one command. The environment goes before what `login` stored. A stored key is sent only to the
 * address that it was stored for.
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
  return { env, terminal, asJson, url, apiKey, client: () => createClient({ url, apiKey: apiKey() }) }
}
