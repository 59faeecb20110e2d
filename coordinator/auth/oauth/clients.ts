import { parsedJson } from '@placefleet/shared/text'
import { z } from 'zod'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { isSameSecret } from '../../secrets/secret-box.ts'
import { ClientName } from '../device/schema.ts'

export type Signer = Pick<SecretBox, 'signature'>

const PURPOSE = 'oauth client'

/** The hosts of this computer. A program that runs there has no certificate (RFC 8252, 7.3). */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

function isAllowed(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))
}

const redirect_uri = z
  .string()
  .max(500)
  .refine(isAllowed, 'must be an https URL, or an http URL of this computer, without # and without a password')

/** The registration of a client (RFC 7591). Other members are ignored. */
export const ClientRegistration = z.object({
  client_name: ClientName.default('An assistant'),
  redirect_uris: z.array(redirect_uri).min(1).max(5),
})
export type ClientRegistration = z.infer<typeof ClientRegistration>

/** Returns the id of a client. It holds the registration, signed, so nothing is stored for strangers. */
export function clientIdOf(signer: Signer, registration: ClientRegistration): string {
  const text = Buffer.from(JSON.stringify(registration)).toString('base64url')
  return `${text}.${signer.signature(PURPOSE, text)}`
}

/** Returns what a client registered, or undefined for an id that is not ours. */
export function clientOf(signer: Signer, client_id: string): ClientRegistration | undefined {
  const [text = '', signature = ''] = client_id.split('.')
  if (!isSameSecret(signature, signer.signature(PURPOSE, text))) return undefined
  return ClientRegistration.safeParse(parsedJson(Buffer.from(text, 'base64url').toString())).data
}
