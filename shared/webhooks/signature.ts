import { createHmac, randomBytes } from 'node:crypto'

/** The bytes of a delivery, its id and the time of the attempt. */
type Signable = { id: string; body: Buffer; unixSeconds: number }

const USER_AGENT = 'Service-Webhook/1.0'
const SECRET_PREFIX = 'whsec_'

/** Generates a signing secret: `whsec_` and 32 random bytes in base64, the form Standard Webhooks libraries take. */
export const newSigningSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`

/**
 * Returns the headers of one attempt, ours and those of Standard Webhooks 1.0. Every secret signs, newest first,
 * so a receiver may hold any of them during a rotation.
 */
export function signedHeaders(signable: Signable, secrets: readonly string[]): Record<string, string> {
  const t = String(signable.unixSeconds)
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-webhook-id': signable.id,
    'x-webhook-signature': [`t=${t}`, ...secrets.map((secret) => `sha256=${plainSignature(signable, secret)}`)].join(
      ',',
    ),
    'webhook-id': signable.id,
    'webhook-timestamp': t,
    'webhook-signature': secrets.map((secret) => `v1,${standardSignature(signable, secret)}`).join(' '),
  }
}

// Signs `<t>.<raw body>` with the whole secret as shown to its owner.
function plainSignature({ unixSeconds, body }: Signable, secret: string): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
}

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: the key is the decoded
// part after the prefix.
function standardSignature({ id, unixSeconds, body }: Signable, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${unixSeconds}.`).update(body).digest('base64')
}
