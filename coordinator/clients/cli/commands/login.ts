import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Placefleet, PlacefleetError, unwrap } from '@placefleet/client'
import { shownAs } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { cliCommand } from '../context.ts'
import { forgetCredentials, storeCredentials } from '../credentials.ts'
import type { Terminal } from '../terminal.ts'

export const loginCommand = cliCommand({
  words: 'login',
  about: 'log in with a pairing code that you approve in the console, or store an API key',
  options: z.object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .optional()
      .meta(shownAs('url', 'address of the service')),
    key: z
      .string()
      .min(1)
      .optional()
      .meta(shownAs('key', 'an API key instead of a pairing code; - reads it from stdin')),
  }),
  async run(context, { url: given, key }) {
    const url = (given ?? context.url).replace(/\/+$/, '')
    const api_key = key === undefined ? await pairedKey(url, context.terminal) : await givenKey(key, context.terminal)
    await new Placefleet({ url, apiKey: api_key }).credits.balance()
    const path = storeCredentials(context.env, { url, api_key })
    return { data: { url, file: path }, text: `Logged in to ${url}. The key is in ${path}.` }
  },
})

const givenKey = async (key: string, { readInput }: Terminal): Promise<string> =>
  key === '-' ? (await readInput()).trim() : key

/**
 * Shows a pairing code and waits until the user has approved it in the console.
 * @throws PlacefleetError when the user declines or the code expires, and the reason of an interruption.
 */
async function pairedKey(url: string, { err, onInterrupt }: Terminal): Promise<string> {
  const { api } = new Placefleet({ url, apiKey: null })
  const signal = onInterrupt()
  const body = { client_name: `placefleet on ${hostname()}`.slice(0, LONGEST_NAME) }
  const login = await unwrap(api.POST('/auth/device', { body }))
  err(`Open ${login.verification_uri_complete}\nand approve the code ${login.user_code}. Waiting …\n`)
  for (;;) {
    await sleep(login.interval * 1_000, undefined, { signal })
    try {
      return (await unwrap(api.POST('/auth/device/token', { body: { device_code: login.device_code } }))).key
    } catch (error) {
      if (!(error instanceof PlacefleetError && error.code === 'authorization_pending')) throw error
    }
  }
}

const LONGEST_NAME = 100

export const logoutCommand = cliCommand({
  words: 'logout',
  about: 'delete the stored API key; the key stays valid until it is revoked',
  options: z.object({}),
  async run({ env }) {
    forgetCredentials(env)
    return { data: { logged_out: true }, text: 'The stored key is deleted.' }
  },
})
