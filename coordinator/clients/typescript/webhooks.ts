/** The event that a webhook receives when a job ends. */
export type WebhookEvent = {
  event_type: 'job.completed' | 'job.failed' | 'job.cancelled'
  job_id: string
  job_name: string
  status: 'completed' | 'failed' | 'cancelled'
  result_count: number
  created_at: string
  ended_at: string
}

export type Delivery = {
  /** The raw body, byte for byte: not parsed and serialized again. */
  body: string
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** The secret from the creation of the webhook, `whsec_…`. */
  secret: string
  /** The maximum age of a delivery, in seconds. Default 300. */
  toleranceSeconds?: number
  /** The current time, for tests. */
  now?: Date
}

/** Thrown for a delivery with a wrong or old signature. Respond with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

const PREFIX = 'whsec_'

/**
 * Checks the signature of a delivery (Standard Webhooks) and returns its event. Works in Node and in browsers. A
 * delivery may arrive twice: remember its `webhook-id`.
 * @throws WebhookVerificationError when the signature is wrong or too old.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = 300, now = new Date() } = delivery
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const age = Math.abs(now.getTime() / 1_000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw new WebhookVerificationError(`The delivery is over ${toleranceSeconds} seconds old. Check the clock.`)
  }
  const key = await keyOf(secret)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const checks = signatures.split(' ').map((signature) => isSigned(key, signature, signed))
  if ((await Promise.all(checks)).includes(true)) return JSON.parse(body)
  throw new WebhookVerificationError('The signature does not match. Check the secret, and pass the raw body.')
}

async function isSigned(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const base64 = /^v1,([A-Za-z0-9+/]+=*)$/.exec(signature)?.[1]
  const bytes = base64 === undefined ? undefined : bytesOf(base64)
  return bytes !== undefined && crypto.subtle.verify('HMAC', key, bytes, signed) // compares in constant time
}

type Key = Awaited<ReturnType<typeof keyOf>>

function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined
  if (!bytes) throw new WebhookVerificationError(`The secret must begin with ${PREFIX}. Pass all of it.`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined // not base64
  }
}

function headerOf(headers: Delivery['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value === 'string') return value
  throw new WebhookVerificationError(`The header ${name} is missing.`)
}
