import { answered, createClient } from '@placefleet/client'
import { UsageError } from '@placefleet/shared/command-line'
import { shownAs } from '@placefleet/shared/commands/command'
import { z } from 'zod'
import { type CliContext, cliCommand } from '../context.ts'
import { forgetCredentials, storeCredentials } from '../credentials.ts'

export const loginCommand = cliCommand({
  words: 'login',
  about: 'store an API key for the commands that follow',
  options: z.object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http(s) address' })
      .optional()
      .meta(shownAs('url', 'address of the service')),
    key: z.string().min(1).optional().meta(shownAs('key', 'an API key; - reads it from stdin')),
  }),
  async run(context, { url: given, key }) {
    const url = (given ?? context.url).replace(/\/+$/, '')
    const api_key = await keyFrom(context, key)
    await answered(createClient({ url, apiKey: api_key }).api.GET('/api/v1/credits/balance'))
    const path = storeCredentials(context.env, { url, api_key })
    return { data: { url, file: path }, text: `Logged in to ${url}. The key is in ${path}.` }
  },
})

async function keyFrom({ terminal }: CliContext, key: string | undefined): Promise<string> {
  if (key === undefined) throw new UsageError('Pass --key with an API key, or --key - to read it from stdin.')
  return key === '-' ? (await terminal.readInput()).trim() : key
}

export const logoutCommand = cliCommand({
  words: 'logout',
  about: 'forget the stored API key; the key itself stays valid until it is revoked',
  options: z.object({}),
  async run({ env }) {
    forgetCredentials(env)
    return { data: { logged_out: true }, text: 'The stored key is forgotten.' }
  },
})
