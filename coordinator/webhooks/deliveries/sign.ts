import { createHmac } from 'node:crypto'

/** What is signed: the bytes that are sent, under the delivery's id, at the time of the attempt. */
export type Signable = { id: string; body: Buffer; unixSeconds: number }

const USER_AGENT = 'Service-Webhook/1.0'
const SECRET_PREFIX = 'whsec_'

/**
 * The headers of one attempt (SPEC, "Delivery", and Standard Webhooks 1.0). Each of the secrets signs, so that a
 * receiver may hold any of them while one is replaced: the newest comes first.
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

// SPEC, "Delivery": the text `<t>.<raw body>`, keyed with the whole secret as its owner was shown it.
function plainSignature({ unixSeconds, body }: Signable, secret: string): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
}

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: keyed with the decoded
// part behind the prefix.
function standardSignature({ id, unixSeconds, body }: Signable, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${unixSeconds}.`).update(body).digest('base64')
}
